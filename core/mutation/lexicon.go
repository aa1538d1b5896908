package mutation

// class says what an English word can do in a tool's name. A word may be verb
// and noun at once; its position decides (name.go).
type class uint16

const (
	read  class = 1 << iota // a verb that only looks
	write                   // a verb that changes something
	weak                    // a noun that is a writing verb when it leads
	vague                   // a verb that may do either
	noun                    // also an everyday noun, so harmless behind another verb
	info                    // a noun that names information
)

func (c class) has(bits class) bool { return c&bits != 0 }
func (c class) verb() bool          { return c.has(read | write | weak | vague) }

// word looks one lower-case word up. Switches are compiled into comparisons:
// the lexicon costs nothing at start-up, which counts where every request
// starts an instance of its own.
func word(w string) class {
	for _, look := range [...]func(string) class{readWord, writeWord, weakWord, vagueWord, infoWord} {
		if c := look(w); c != 0 {
			return c
		}
	}
	return 0
}

func readWord(w string) class {
	switch w {
	case "get", "fetch", "retrieve", "read", "find", "describe", "show", "display",
		"browse", "inspect", "examine", "verify", "validate", "compare", "enumerate",
		"peek", "explain", "summarize", "summarise", "translate", "parse", "detect",
		"identify", "determine", "predict", "measure", "assess", "suggest", "recommend",
		"discover", "explore", "locate", "observe", "consult", "reveal", "gather",
		"scrape", "obtain", "assert", "geocode", "lint", "introspect", "decode",
		"disassemble", "tokenize", "contains", "exists", "infer", "recognize",
		"recognise", "lookup", "ls", "cat", "grep", "stat", "pwd", "whoami", "whois",
		"ping", "dig", "tail", "glob", "visualize", "visualise",
		"understand", "ascertain", "peruse", "skim", "retriever", "transcribe", "hash", "analyze", "analyse", "embed", "classify",
		"interpret", "correlate", "approximate", "deduce", "diagnose", "typecheck",
		"traceroute", "nslookup", "hexdump", "tally", "await", "quantify", "distinguish",
		"differentiate", "autocomplete", "transliterate", "proofread", "elucidate", "echo", "wc", "du", "df", "cksum", "nl":
		return read
	case "list", "search", "query", "view", "check", "count", "preview", "diff", "look",
		"head", "glance", "survey", "forecast", "aggregate", "compute", "estimate",
		"listing", "lists", "searches":
		return read | noun
	}
	return 0
}

// writeWord knows the verbs that change something wherever they lead. The
// second half are everyday nouns or adjectives too: behind a reading verb they
// name a thing (list_update_history, get_start_time).
func writeWord(w string) class {
	switch w {
	case "create", "delete", "remove", "add", "insert", "append", "prepend", "replace",
		"modify", "send", "cancel", "destroy", "erase", "overwrite", "rewrite", "rename",
		"submit", "approve", "assign", "unassign", "reassign", "attach", "detach",
		"activate", "deactivate", "enable", "disable", "enroll", "enrol", "unenroll",
		"subscribe", "unsubscribe", "unfollow", "publish", "unpublish", "upsert",
		"truncate", "purge", "wipe", "flush", "prune", "evict", "revoke", "grant", "deny",
		"authorize", "authorise", "deauthorize", "provision", "deprovision", "uninstall",
		"reinstall", "deploy", "undeploy", "redeploy", "relaunch", "restart", "reboot",
		"terminate", "kill", "abort", "suspend", "unpause", "freeze", "unfreeze", "unlock",
		"encrypt", "decrypt", "deregister", "unregister", "allocate", "deallocate",
		"reallocate", "unreserve", "rebook", "reschedule", "postpone", "reimburse",
		"redeem", "withdraw", "donate", "escalate", "deescalate", "notify", "broadcast",
		"respond", "inform", "remind", "warn", "reject", "decline", "accept", "dismiss",
		"acknowledge", "ack", "snooze", "mute", "unmute", "unban", "unblock", "hide",
		"unhide", "unpin", "unstar", "unfavorite", "unfavourite", "unlike", "upvote",
		"downvote", "endorse", "nominate", "promote", "demote", "elect", "uninvite",
		"expel", "onboard", "offboard", "hire", "dispatch", "deliver", "restock",
		"relocate", "migrate", "revert", "undo", "redo", "rebase", "unmerge", "amend",
		"squash", "untag", "unlabel", "unlink", "relink", "rotate", "regenerate", "renew",
		"recover", "repair", "downgrade", "alter", "adjust", "tweak", "unset", "put",
		"toggle", "increment", "decrement", "reduce", "shorten", "resize", "crop",
		"compress", "uncompress", "decompress", "unzip", "untar", "unpack", "unarchive",
		"ingest", "persist", "mkdir", "rmdir", "chmod", "chown", "rm", "mv",
		"cp", "ln", "dd", "tee", "unmount", "umount", "drain", "cordon", "uncordon",
		"evacuate", "unjoin", "reopen", "spawn", "inject", "mutate", "transform",
		"configure", "reconfigure", "customize", "customise", "initialize", "initialise",
		"bootstrap", "populate", "backfill", "replicate", "reindex", "unstake", "remit",
		"settle", "waive", "topup", "recharge", "unmark", "unflag",
		"finalize", "finalise", "fulfill", "fulfil", "uncomplete", "impersonate",
		"disconnect", "reconnect", "unpair", "bind", "unbind", "retrigger", "rerun",
		"enqueue", "dequeue", "requeue", "unplug", "grind", "cook", "remember", "forget",
		"memorize", "memorise", "compose", "paste", "combine", "concat", "concatenate",
		"divide", "rebuild", "recreate", "reorder", "rearrange", "rebalance", "reassemble",
		"downsize", "sanitize", "sanitise", "scrub", "redact", "anonymize", "anonymise",
		"unseal", "quarantine", "isolate", "transcode", "ensure", "introduce", "establish",
		"unsend", "discard", "cleanup", "vacuum", "defragment", "optimize", "optimise",
		"enforce", "reinstate", "exclude", "deprecate", "retire", "decommission",
		"hibernate", "throttle", "failover", "disarm", "dedupe", "deduplicate", "unstage",
		"hangup", "disburse", "liquidate", "allot", "resend", "resubmit", "reissue",
		"reactivate", "unlist", "unshare", "doubleclick", "swipe",
		"connect", "apologize", "prescribe", "inactivate", "relabel",
		"retag", "repost", "republish", "reupload", "reprocess", "repay", "prepay",
		"overdraw", "encash", "nuke", "zap", "bump", "bounce", "shred", "expunge", "sweep", "trash", "scrap", "obliterate",
		"demolish", "annul", "rescind", "repeal", "nullify", "blacklist", "whitelist", "allowlist", "denylist",
		"inflate", "deflate", "hydrate", "rehydrate", "warm", "preload", "prefetch", "sideload",
		"jailbreak", "elevate", "downscale", "upscale", "upsize", "autoscale", "rehost", "repoint",
		"reroute", "remap", "reprovision", "resync", "reattach", "remount", "rejoin", "readd",
		"tune", "retune", "recalculate", "recompute", "reclassify", "recategorize", "unenrol", "unassociate",
		"associate", "disassociate", "dissociate", "correct", "override", "bypass", "acquire", "eject", "unload", "deselect", "uncheck":
		return write
	case "pop", "update", "set", "edit", "change", "reset", "patch", "fix", "import", "upload",
		"archive", "merge", "fork", "push", "clone", "copy", "mirror", "start", "stop",
		"close", "block", "mark", "flag", "star", "pin", "vote", "bid", "wire", "credit",
		"debit", "charge", "bill", "deposit", "refund", "stake", "link", "split", "index",
		"seed", "format", "partition", "mount", "switch", "swap", "scale", "power", "type",
		"press", "tap", "click", "drag", "cut", "slice", "heat", "cool", "fill", "store",
		"save", "move", "drop", "draft", "stage", "stash", "trigger", "pair", "lock",
		"invite", "rate", "fire", "ship", "launch", "checkout", "checkin", "login",
		"logout", "signup", "signin", "signout", "setup", "init", "empty", "clean",
		"clear", "touch", "purchase", "sign", "pack", "zip", "leave", "join", "turn",
		"retry", "replay", "delegate", "author", "favorite", "favourite", "bookmark",
		"follow", "upgrade", "write", "include", "complete", "wake", "arm", "compact",
		"raise", "increase", "decrease", "reply", "forward", "install", "reserve",
		"register", "rollback", "shutdown", "tip", "kick", "ban", "mask", "trim", "burn",
		"mint", "make", "seal", "void", "refresh", "expire", "extend",
		"lower", "pause", "resume", "buy", "sell", "pay", "restore", "boot", "plug",
		"strip", "airdrop", "tweet", "retweet", "duplicate", "dial", "nudge", "greet", "alias", "reward", "fine", "gift":
		return write | noun
	}
	return 0
}

// weakWord knows the words that are nouns first of all and write when they
// lead: order_pizza writes, order_history does not. Without the noun bit the
// word is a verb more often than not (post, share).
func weakWord(w string) class {
	switch w {
	case "order", "release", "comment", "branch", "schedule", "transfer", "return",
		"exchange", "trade", "review", "note", "record", "request", "label", "tag",
		"group", "invoice", "queue", "cache", "alert", "backup", "snapshot", "print",
		"host", "issue", "file", "message", "hold", "claim", "loan", "like", "text",
		"mail", "commit", "ring", "rent", "lease", "page":
		return weak | noun
	case "book", "post", "share", "report", "log", "email", "sms", "dm", "pledge",
		"borrow", "lend", "fax":
		return weak
	}
	return 0
}

// vagueWord knows the verbs that promise nothing: they stay unknown.
func vagueWord(w string) class {
	switch w {
	case "resolve", "take", "execute", "exec", "handle", "manage",
		"do", "apply", "select", "perform", "invoke", "evaluate", "eval", "operate",
		"generate", "convert", "extract", "render", "download", "export", "capture",
		"navigate", "go", "goto", "visit", "crawl", "authenticate", "use", "open",
		"load", "listen", "investigate", "prepare", "propose", "solve", "debug",
		"interact", "choose", "pick", "collect", "bring", "give", "let", "try", "begin",
		"continue", "proceed", "keep", "maintain", "administer", "expand", "collapse",
		"scroll", "hover", "focus", "blur", "encode", "orchestrate", "coordinate",
		"automate", "sleep", "end", "finish",
		"think", "ask", "answer", "say", "speak", "tell", "talk", "normalize",
		"normalise", "enrich", "reconcile", "negotiate", "compile",
		"emulate", "simulate", "throw", "hit", "drive", "steer", "redirect",
		"engage", "recall", "arrange", "organize", "organise", "consume", "calibrate", "train",
		"confirm": // a booking is confirmed and thereby made, an identity is confirmed and thereby checked
		return vague
	case "run", "process", "test", "build", "trace", "watch", "track", "monitor",
		"audit", "dump", "screenshot", "sort", "filter", "match", "map", "poll", "plan",
		"play", "sync", "shell", "bash", "pull", "call", "scan", "sample", "access", "benchmark",
		"route", "step", "wait", "chat", "quote", "crud", "exit", "calculate", "control":
		return vague | noun
	}
	return 0
}

// infoWord knows the nouns that name information: a name without any verb that
// ends in one (directory_tree) asks for it.
func infoWord(w string) class {
	switch w {
	case "tree", "history", "info", "information", "status", "statistics", "stats",
		"metadata", "schema", "schemas", "version", "versions", "details", "detail",
		"overview", "size", "usage", "weather", "changelog", "inventory",
		"logs", "metrics", "timeline", "availability", "documentation",
		"readme", "outline", "manual", "faq", "quota", "uptime", "health",
		"healthcheck", "hostname", "timezone", "datetime", "insights", "indexes",
		"indices", "glossary", "help",
		"balance", "balances", "price", "prices", "pricing", "distance", "directions", "diagnostics", "transcript",
		"time", "date":
		return info
	}
	return 0
}

// thingWord knows the nouns for things that are listed or looked up, and for what
// looks them up. They name a read only where nothing else in a name is a verb.
func thingWord(w string) bool {
	switch w {
	case "messages", "notifications", "contacts", "events", "orders", "users", "emails", "inbox", "places", "files", "items",
		"products", "customers", "accounts", "transactions", "invoices", "tickets", "issues", "tasks", "reminders", "calendar",
		"photos", "documents", "docs", "records", "alerts", "repos", "repositories", "branches", "commits", "pages", "tags",
		"labels", "comments", "reviews", "threads", "channels", "members", "teams", "projects", "stations", "routes", "flights",
		"hotels", "restaurants", "movies", "news", "headlines", "rates", "forecasts", "holidays", "recipes", "songs", "results",
		"reports", "me", "profile", "now", "today", "feed", "leaderboard", "catalog", "menu", "agenda", "capabilities",
		"permissions", "bookings", "reservations", "appointments", "payments", "shipments", "deliveries", "subscriptions",
		"employees", "patients", "students", "courses", "books", "articles", "posts", "videos", "images", "tables", "columns",
		"retriever", "searcher", "finder", "reader", "viewer", "wikipedia", "dictionary", "thesaurus", "encyclopedia", "stocks", "markets", "locations", "coordinates",
		"sentiment", "similarity", "analysis", "ocr", "embedding", "embeddings", "scores", "rankings", "definitions", "synonyms", "symbols", "references",
		"neighbors", "siblings", "children", "parents", "ancestors", "dependencies", "packages", "errors", "warnings":
		return true
	}
	return false
}

// linking words. Behind a preposition a verb describes the object; behind a
// conjunction it is a second thing done.
func preposition(w string) bool {
	switch w {
	case "by", "for", "of", "from", "in", "with", "to", "on", "at", "as", "via", "per",
		"using", "since", "without", "if", "whether", "before", "after", "between", "about":
		return true
	}
	return false
}

func conjunction(w string) bool {
	return w == "and" || w == "or" || w == "then" || w == "plus"
}

// question tells whether a name that begins with this word asks something.
func question(w string) bool {
	switch w {
	case "is", "are", "has", "have", "can", "does", "did", "should", "was", "what",
		"which", "who", "whose", "where", "when", "how", "why":
		return true
	}
	return false
}

// coreInfo knows the words for information that nobody orders, records or
// schedules, so that even a word that may be a verb is a noun before them:
// order_status asks, order_inventory may buy.
func coreInfo(w string) bool {
	switch w {
	case "history", "info", "information", "status", "statistics", "stats", "metadata",
		"schema", "version", "versions", "details", "detail", "overview", "timeline", "logs",
		"metrics", "tree":
		return true
	}
	return false
}
