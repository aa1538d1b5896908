// Package store keeps plugins that a user has installed: it fetches a module from a file,
// over HTTPS or from an OCI registry, holds it to a hash and a signature, and keeps it by
// its hash in the user's data folder, so that a lock restores it without a network.
package store
