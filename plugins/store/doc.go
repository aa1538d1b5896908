// Package store keeps the plugins that a user has installed. It fetches a module from a
// file, over HTTPS or from an OCI registry, and checks its hash and signature. It
// stores the module by its hash in the user's data folder, so that a lock can restore
// it without a network.
package store
