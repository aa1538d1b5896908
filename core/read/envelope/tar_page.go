//go:build page

package envelope

import "github.com/boundcheck/boundcheck/core/trajectory"

// TarText refuses an archive: a reader of tar would add 7 KiB to each visit of the page.
func TarText([]byte) (text string, others []string, err error) {
	return "", nil, &trajectory.Error{Msg: "a tar archive: unpack it, and choose its files", Seen: "a tar archive"}
}
