package readcmd

import "strings"

// judgeCurl judges a curl command. It accepts GET and HEAD requests to http and https
// addresses if the answer goes to the standard output. Source: curl(1) 8.11.
func judgeCurl(u *usage, _ string, args []Word) string {
	const (
		flags  = "sSfLkiIvgN46#G"
		values = "mAuebr"
		long   = " --silent --show-error --fail --fail-with-body --location --insecure --include --head --verbose --compressed --globoff --no-buffer --ipv4 --ipv6 --http1.1 --http2 --no-progress-meter --progress-bar --get --version "
		longs  = " --max-time --connect-timeout --user-agent --user --referer --range --retry --retry-delay --max-redirs "
	)
	urls, get, literal := 0, false, false
	for _, w := range args {
		letters := strings.TrimPrefix(w.Text, "-") // one-letter options written together, as in -sG
		letters = letters[:len(letters)-len(strings.TrimLeft(letters, flags))]
		literal = literal || w.equalsText("-g") || w.equalsText("--globoff")
		get = get || w.equalsText("--get") || w.Kind == Literal && strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "--") && strings.Contains(letters, "G")
	}
	for i := 0; i < len(args); i++ {
		w := args[i]
		name, value, attached := strings.Cut(w.Text, "=")
		short := w.Text // the last option of one-letter options written together
		if len(w.Text) > 1 && w.Text[0] == '-' && w.Text[1] != '-' {
			short = "-" + strings.TrimLeft(w.Text[1:], flags)
		}
		next := Word{Kind: Any}
		if i+1 < len(args) {
			next = args[i+1]
		}
		switch {
		case strings.Contains(w.Text+next.Text, "\n"):
			return "curl with a word that contains a line break"
		case !w.mayBeOption():
			if !strings.HasPrefix(w.Text, "-") && !webAddress(w) {
				return "curl with something other than a web address"
			}
			if strings.ContainsAny(w.Text, "[]{}") && !literal {
				return "curl with an address that contains brackets or braces"
			}
			urls++
			u.recordAddress(w.Text)
		case w.Kind != Literal || attached && strings.HasPrefix(w.Text, "--"):
			return "curl with the option " + clipText(name) + clipText(value)
		case w.equalsText("--url"): // the next word is an address
			if next.mayBeOption() {
				return "curl with a value that is not analysed"
			}
		case strings.Contains(long, " "+w.Text+" "):
		case strings.Contains(longs, " "+w.Text+" "), len(short) == 2 && strings.Contains(values, short[1:]):
			if next.Kind >= Names || next.mayBeOption() || strings.HasPrefix(next.Text, "@") {
				return "curl with a value that is not analysed"
			}
			i++
		case short == "-X" || short == "--request":
			if !next.equalsText("GET") && !next.equalsText("HEAD") {
				return "curl with a method other than GET and HEAD"
			}
			i++
		case short == "-H" || short == "--header":
			if !harmlessHeader(next) {
				return "curl with an unknown header"
			}
			i++
		case (next.equalsText("/dev/null") || next.equalsText("-")) && short == "-o":
			i++
		case short == "-d" || short == "--data" || short == "--data-urlencode": // with -G, a part of the address
			before, _, named := strings.Cut(next.Text, "=")
			if !get || next.Kind >= Names || next.mayBeOption() || strings.HasPrefix(next.Text, "@") || short == "--data-urlencode" && (strings.Contains(before, "@") || !named && next.Kind != Literal) {
				return "curl with data to send"
			}
			if strings.ContainsAny(next.Text, "[]{}") && !literal {
				return "curl with an address that contains brackets or braces"
			}
			u.recordAddress("http://host/?" + next.Text)
			i++
		case short == "-w" || short == "--write-out":
			if next.Kind != Literal || next.mayBeOption() || strings.HasPrefix(next.Text, "@") || strings.Contains(next.Text, "output{") {
				return "curl with an output format that may write a file"
			}
			i++
		case short == "-" && len(w.Text) > 1:
		default:
			return "curl with the option " + clipText(w.Text)
		}
	}
	if urls == 0 && !(len(args) == 1 && args[0].equalsText("--version")) {
		return "curl without an address"
	}
	return ""
}

// recordAddress records an address that a command fetches.
func (u *usage) recordAddress(address string) {
	if !strings.HasPrefix(address, "http://") && !strings.HasPrefix(address, "https://") {
		address = "http://" + address
	}
	u.addresses = append(u.addresses, address)
}

// webAddress reports whether a word is a web address. The scheme must be http or https,
// or it may be missing. The end of the word may be unknown only if the word begins with a
// scheme.
func webAddress(w Word) bool {
	if w.Kind > Begins {
		return false
	}
	for _, scheme := range [...]string{"http://", "https://"} {
		if strings.HasPrefix(w.Text, scheme) {
			return len(w.Text) > len(scheme)
		}
	}
	for _, guessed := range [...]string{"ftp.", "dict.", "ldap.", "imap.", "smtp.", "pop3."} {
		if strings.HasPrefix(strings.ToLower(w.Text), guessed) {
			return false
		}
	}
	host, port, hasPort := strings.Cut(w.Text, ":")
	if hasPort && (port == "" || !isDigit(port[0])) {
		return false // gopher:/host
	}
	return w.Kind == Literal && host != "" && isLetter(host[0]) != isDigit(host[0])
}

// harmlessHeader reports whether a header of a GET request is known to be harmless. Other
// headers may change the method of the request.
func harmlessHeader(w Word) bool {
	name, _, found := strings.Cut(strings.ToLower(w.Text), ":")
	if !found || w.Kind > Begins {
		return false
	}
	switch name {
	case "accept", "accept-language", "accept-encoding", "authorization", "user-agent", "cache-control", "if-none-match", "if-modified-since", "content-type", "x-api-key", "private-token", "origin", "referer":
		return true
	}
	return false
}

// awsReads judges aws SERVICE OPERATION. It accepts list and describe operations, and the
// get operations that return a record and write no file.
func awsReads(u *usage, name string, args []Word) string {
	i, literal := 0, true
	for ; i+1 < len(args) && strings.HasPrefix(args[i].Text, "--"); i++ {
		if args[i].equalsText("--profile") || args[i].equalsText("--region") || args[i].equalsText("--output") || args[i].equalsText("--query") {
			i++
		}
	}
	for _, w := range args {
		literal = literal && w.Kind == Literal
	}
	if i+1 >= len(args) || !literal || args[i].equalsText("s3") || args[i].equalsText("configure") {
		return u.judgeByRow(name, args)
	}
	service, operation := args[i].Text, args[i+1].Text
	verb, thing, _ := strings.Cut(operation, "-")
	switch {
	case strings.Contains(",logs filter-log-events,logs tail,cloudtrail lookup-events,sts get-caller-identity,dynamodb scan,dynamodb query,dynamodb batch-get-item,sqs get-queue-attributes,sqs get-queue-url,", ","+service+" "+operation+","):
	case strings.Trim(service, letters+digits+"-") != "" || thing == "":
		return "aws with " + clipText(operation)
	case verb == "list", verb == "describe",
		verb == "get" && (service == "iam" || service == "ec2" || service == "dynamodb" || service == "ssm" || service == "logs" || service == "cloudwatch" || service == "ce"),
		service == "s3api" && (strings.HasPrefix(operation, "get-bucket-") || strings.HasPrefix(operation, "head-")),
		service == "lambda" && strings.HasPrefix(operation, "get-function"), service == "cloudformation" && strings.HasPrefix(operation, "get-template"):
	default:
		return "aws with " + clipText(operation)
	}
	for _, w := range append(args[:i:i], args[i+2:]...) {
		option, _, _ := strings.Cut(w.Text, "=")
		for _, refused := range awsRefused {
			if len(option) >= 3 && strings.HasPrefix(refused, option) { // aws completes options
				return "aws with the option " + clipText(option)
			}
		}
	}
	return ""
}

// awsRefused holds the options with which aws reads files, reaches other addresses or
// checks less.
var awsRefused = [...]string{"--cli-input-json", "--cli-input-yaml", "--endpoint-url", "--ca-bundle", "--cli-pager", "--generate-cli-skeleton", "--no-verify-ssl", "--no-sign-request", "--debug"}

// cloudGroups holds words of gcloud and az that name things, not actions.
const cloudGroups = " compute instances disks images networks subnets zones regions machine-types firewall-rules addresses snapshots projects config configurations container clusters node-pools services iam service-accounts roles sql databases run revisions jobs functions pubsub topics subscriptions storage buckets objects logging logs sinks auth secrets versions builds artifacts repositories dns managed-zones organizations folders vm group account webapp aks acr blob network vnet nsg public-ip nic lb keyvault secret functionapp server db role assignment definition ad user app sp resource disk image snapshot monitor repository provider cosmosdb redis appservice plan deployment "

// cloudReads judges a gcloud or az command. It accepts gcloud GROUP… with list or
// describe, and az GROUP… with list or show. The command's row in the table judges all
// other forms.
func cloudReads(u *usage, name string, args []Word) string {
	verb := -1
	for i, w := range args {
		if w.Kind != Literal {
			return clipText(name) + " with a word that depends on a shell expansion"
		}
		if verb < 0 && (w.Text == "list" || w.Text == "describe" && name == "gcloud" || w.Text == "show" && name == "az") {
			verb = i
			continue
		}
		option, _, _ := strings.Cut(w.Text, "=")
		switch {
		case verb < 0 && strings.Contains(cloudGroups, " "+w.Text+" ") && !(name == "gcloud" && w.Text == "snapshot"): // gcloud compute disks snapshot
		case verb >= 0 && !strings.HasPrefix(option, "-"):
		case verb >= 0 && strings.Contains(" --project --format --filter --limit --zone --region --zones --regions --sort-by --page-size --resource-group --name --output --query --subscription --location --all --account -g -n -o ", " "+option+" "):
		default:
			return u.judgeByRow(name, args)
		}
	}
	if verb < 1 {
		return u.judgeByRow(name, args)
	}
	return ""
}

// judgeGH judges a gh command. It accepts gh api graphql with one query, which it records
// for the caller to judge. The command's row in the table judges all other forms.
func judgeGH(u *usage, name string, args []Word) string {
	if len(args) < 2 || !args[0].equalsText("api") || !args[1].equalsText("graphql") {
		return u.judgeByRow(name, args)
	}
	queries := 0
	for i := 2; i < len(args); i++ {
		switch option := args[i].Text; option {
		case "-f", "--raw-field", "-F", "--field":
			if i++; i == len(args) || args[i].Kind != Literal {
				return "gh api graphql with a field that is not analysed"
			}
			key, value, _ := strings.Cut(args[i].Text, "=")
			raw := option == "-f" || option == "--raw-field"
			switch {
			case !raw && strings.HasPrefix(value, "@"), !raw && key == "query":
				return "gh api graphql with a field from a file"
			case key == "query":
				queries++
				u.queries = append(u.queries, Query{GraphQL, value})
			case strings.HasPrefix(key, "query"), strings.HasPrefix(key, "-"):
				return "gh api graphql with a field that is not analysed"
			}
		case "-q", "--jq", "-t", "--template":
			if i++; i == len(args) || args[i].Kind != Literal {
				return "gh api graphql with a value that is not analysed"
			}
		case "--paginate", "--slurp", "--silent", "-i", "--include":
		default:
			return "gh api graphql with the option " + clipText(option)
		}
	}
	if queries != 1 {
		return "gh api graphql without exactly one query"
	}
	return ""
}
