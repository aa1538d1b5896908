//go:build nozip

package trajectory

// archive refuses: the edge's Worker is built without the reader of archives,
// which weighs 40 KiB there, for the platform counts them.
func (d *decoder) archive([]byte) error {
	return &Error{Msg: "a zip archive is not read here; the command and the page read zipped Inspect logs, or send one of its samples/*.json", Seen: "a zip archive", Formats: Formats()}
}
