package readcmd

import "strings"

// The primaries of find that only read, by the number of words after them. Sources: GNU
// findutils 4.10 manual; FreeBSD find(1).
const (
	findTests  = " ! -not -a -and -o -or , ( ) -print -print0 -ls -prune -empty -executable -readable -writable -nouser -nogroup -mount -xdev -x -follow -noleaf -daystart -true -false -quit -depth -d -nowarn -warn -H -L -P -E -X -s -help -version --version -ignore_readdir_race -noignore_readdir_race "
	findValues = " -name -iname -path -ipath -wholename -iwholename -regex -iregex -type -xtype -size -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -maxdepth -mindepth -perm -user -group -uid -gid -links -inum -samefile -fstype -regextype -lname -ilname -used -context -printf "
)

// judgeFind judges a find command. It accepts tests and actions of find that only read.
// It accepts -exec if the command after -exec only reads for any file name.
func judgeFind(u *usage, _ string, args []Word) string {
	start := Word{Text: "./", Kind: Begins} // the beginning of all names
	seen := false
	for i := 0; i < len(args); i++ {
		w := args[i]
		if w.mayBeOption() && w.Kind != Literal || w.Kind == Any {
			return "find with a word that the shell may expand to an action of find"
		}
		switch text := " " + w.Text + " "; {
		case w.Kind != Literal && strings.HasPrefix(w.Text, "("), w.Kind != Literal && strings.HasPrefix(w.Text, "!"):
			return "find with a word that the shell may expand to an action of find"
		case w.Kind != Literal || !strings.HasPrefix(w.Text, "-") && !strings.Contains(findTests, text):
			if seen {
				start.Text = "" // several starts have no common beginning
			} else {
				start.Text = w.Text
			}
			seen = true
		case w.equalsText("-exec") || w.equalsText("-execdir"):
			used, why := u.judgeAction(args[i:], start)
			if why != "" {
				return why
			}
			i += used
		case strings.Contains(findTests, text) && w.Text != "":
		case strings.Contains(findValues, text), strings.HasPrefix(w.Text, "-newer") && len(w.Text) == 8:
			if i++; i == len(args) || args[i].Kind >= Names {
				return "find with a value that depends on a shell expansion"
			}
		case len(w.Text) == 3 && strings.HasPrefix(w.Text, "-O"):
		default:
			return "find with " + clipText(w.Text)
		}
	}
	return ""
}

// judgeAction judges -exec or -execdir, which is the first word of args. start is the
// known beginning of the file names that find adds. used is the number of words after the
// first that belong to the action. why is the reason to refuse the action, or "".
func (u *usage) judgeAction(args []Word, start Word) (used int, why string) {
	end := 1
	for end < len(args) && !args[end].equalsText(";") && !(args[end].equalsText("+") && args[end-1].equalsText("{}")) {
		end++
	}
	if end == len(args) {
		return 0, "find with an action that does not end with ; or +"
	}
	u.inserts = true // the names of files become words of the command
	words := append([]Word(nil), args[1:end]...)
	if args[0].equalsText("-execdir") {
		for _, w := range words {
			if w.equalsText("git") {
				return 0, "git in another directory, whose configuration may run programs"
			}
		}
		start = Word{Kind: max(start.Kind, Begins)} // BSD passes names without ./
	}
	if args[end].equalsText("+") {
		start.Kind = Names
	}
	return end, u.judgeExternal("find", replacePlaceholder(words, "{}", start))
}
