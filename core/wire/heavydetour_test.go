package wire

import (
	"fmt"
	"strings"
)

// detourGenerators are runs that do by commands and requests what the reference does by tools, and what
// is related to other actions of the run: folders that are filled, and checks before a step.
var detourGenerators = []heavy{
	{"one long command against many steps", "score", func(n int) string {
		return writeScored([]step{command(strings.Repeat("cd x && ", 4*n) + "rm a")}, writeSteps(repeatStep(n, orderStep("delete_file", `{"path":"/srv/f%d"}`, 0))))
	}},
	{"one command of many words against many steps", "score", func(n int) string {
		return writeScored([]step{command("rm " + strings.Repeat("/srv/a ", 4*n))}, writeSteps(repeatStep(n, orderStep("delete_file", `{"path":"/srv/f%d"}`, 0))))
	}},
	{"one command of one long word against many steps", "score", func(n int) string {
		return writeScored([]step{command("rm /srv/" + strings.Repeat("a/../", 4*n))}, writeSteps(repeatStep(n, orderStep("delete_file", `{"path":"/srv/f%d"}`, 0))))
	}},
	{"one long curl against many steps", "score", func(n int) string {
		return writeScored([]step{command("curl -s -X PATCH https://api.example.test/orders/7 -d '" + writeMembers(2*n, 0) + "'")},
			writeSteps(repeatStep(n, orderStep("update_order", `{"order_id":"%d","state":"x"}`, 0))))
	}},
	{"one long request against many steps", "score", func(n int) string {
		return writeScored([]step{{name: "http_request", args: `{"method":"PATCH","url":"https://api.example.test/orders/7","body":` + writeMembers(2*n, 0) + `}`}},
			writeSteps(repeatStep(n, orderStep("update_order", `{"order_id":"%d","state":"x"}`, 0))))
	}},
	{"one long path against many steps", "score", func(n int) string {
		return writeScored([]step{{name: "http_request", args: `{"method":"DELETE","url":"https://api.example.test/` + strings.Repeat("orders/", 4*n) + `"}`}},
			writeSteps(repeatStep(n, orderStep("delete_order", `{"order_id":"%d"}`, 0))))
	}},
	{"many commands against many steps", "score", func(n int) string {
		return writeScored(repeatStep(n, func(i int) step { return command(fmt.Sprintf("rm /srv/g%d", i)) }), writeSteps(repeatStep(n, orderStep("delete_file", `{"path":"/srv/f%d"}`, 0))))
	}},
	{"commands that do the steps", "score", func(n int) string {
		return writeScored(shuffleSteps(repeatStep(n, func(i int) step { return command(fmt.Sprintf("rm /srv/f%d", i)) })), writeSteps(repeatStep(n, orderStep("delete_file", `{"path":"/srv/f%d"}`, 0))))
	}},
	{"programs that do the steps", "score", func(n int) string {
		return writeScored(shuffleSteps(repeatStep(n, func(i int) step { return command(fmt.Sprintf("kubectl scale deployment web%d --replicas=3", i)) })),
			writeSteps(repeatStep(n, orderStep("scale_deployment", `{"name":"web%d","replicas":3}`, 0))))
	}},
	{"requests that do the steps", "score", func(n int) string {
		return writeScored(shuffleSteps(repeatStep(n, orderStep("http_request", `{"method":"DELETE","url":"https://api.example.test/orders/%d"}`, 0))),
			writeSteps(repeatStep(n, orderStep("delete_order", `{"order_id":"%d"}`, 0))))
	}},
	{"one tool with many arguments against commands", "score", func(n int) string {
		return writeScored(repeatStep(n/2, func(i int) step { return command(fmt.Sprintf("kubectl scale deployment web --k%d=%d", i, i)) }),
			writeSteps([]step{{name: "scale_deployment", args: writeMembers(n, 0)}}))
	}},
	{"detours on both sides", "score", func(n int) string {
		both := func(shift int) []step {
			return repeatStep(n, func(i int) step {
				if (i+shift)%2 == 0 {
					return command(fmt.Sprintf("mv /srv/f%d /srv/g%d", i, i))
				}
				return step{name: "move_file", args: fmt.Sprintf(`{"source":"/srv/f%d","destination":"/srv/g%d"}`, i, i)}
			})
		}
		return writeScored(shuffleSteps(both(0)), writeSteps(both(1)))
	}},
	{"deep chains of cd", "score", func(n int) string {
		chain := func(shift int) func(int) step {
			return func(i int) step {
				return command(strings.Repeat("cd ..; ", 40) + fmt.Sprintf("rm f%d", i+shift))
			}
		}
		return writeScored(repeatStep(n/40+1, chain(0)), writeSteps(repeatStep(n/40+1, chain(1))))
	}},
	{"many folders filled", "score", func(n int) string {
		return writeScored(append(repeatStep(n, func(i int) step { return command(fmt.Sprintf("mkdir /srv/d%d", i)) }),
			repeatStep(n, func(i int) step { return command(fmt.Sprintf("cp a%d /srv/e%d/a", i, i)) })...),
			writeSteps(repeatStep(n, func(i int) step { return command(fmt.Sprintf("cp a%d /srv/e%d/a", i, i)) })))
	}},
	{"folders filled last first", "score", func(n int) string {
		fill := func(i int) step {
			return step{name: "move_file", args: fmt.Sprintf(`{"source":"a%d","destination":"/srv/d%d/a"}`, n-i, n-i)}
		}
		return writeScored(append(repeatStep(n, orderStep("create_folder", `{"path":"/srv/d%d"}`, 0)), repeatStep(n, fill)...), writeSteps(repeatStep(n, fill)))
	}},
	{"one folder, a step with many values", "score", func(n int) string {
		fill := step{name: "move_files", args: `{"paths":[` + joinEach(4*n, func(i int) string { return fmt.Sprintf(`"/srv/x%d"`, i) }) + `]}`}
		return writeScored(append(repeatStep(n, orderStep("create_folder", `{"path":"/srv/d%d"}`, 0)), fill), writeSteps([]step{fill}))
	}},
	{"many checks before steps", "score", func(n int) string {
		both := repeatStep(n, func(i int) step {
			if i%2 == 0 {
				return step{name: "validate_release", args: fmt.Sprintf(`{"release_id":"R-%d"}`, i), result: `{"valid":false}`}
			}
			return step{name: "deploy_release", args: fmt.Sprintf(`{"release_id":"R-%d"}`, i)}
		})
		return writeScored(both, writeSteps(both))
	}},
	{"all checks, then all steps", "score", func(n int) string {
		both := append(repeatStep(n, func(i int) step {
			return step{name: "run_tests", args: fmt.Sprintf(`{"suite":"s%d"}`, i), result: `{"passed":true}`}
		}), repeatStep(n, orderStep("deploy_release", `{"suite":"s%d"}`, 0))...)
		return writeScored(both, writeSteps(both))
	}},
	{"jobs that are open", "score", func(n int) string {
		both := append(repeatStep(n, func(i int) step {
			return step{name: "start_backup", args: fmt.Sprintf(`{"database_id":"d%d"}`, i), result: fmt.Sprintf(`{"job_id":"j%d","status":"running"}`, i)}
		}), repeatStep(n, orderStep("delete_database", `{"database_id":"d%d"}`, 0))...)
		return writeScored(both, writeSteps(both))
	}},
	{"brackets in one word of a command", "score", func(n int) string {
		calls := func(shift int) []step {
			return repeatStep(n/50000+1, func(i int) step { return command(fmt.Sprintf("echo %d", i+shift) + strings.Repeat("[", min(n, 50000))) })
		}
		return writeScored(calls(0), writeSteps(calls(1)))
	}},
	{"trials", "score", func(n int) string {
		return writeScored(repeatStep(n, func(i int) step { return command(fmt.Sprintf("terraform apply --dry-run -target=t%d", i)) }),
			writeSteps(repeatStep(n/2, func(i int) step { return command(fmt.Sprintf("terraform destroy u%d", i)) })))
	}},
	{"undone deeds", "score", func(n int) string {
		return writeScored(repeatStep(n, func(i int) step {
			return step{name: []string{"add_tag", "remove_tag"}[i%2], args: fmt.Sprintf(`{"item_id":"I-%d","tag":"t%d"}`, i/2%50, i/100)}
		}), writeSteps(repeatStep(n/4, orderStep("add_tag", `{"item_id":"I-%d","tag":"x"}`, 0))))
	}},
	{"transactions", "score", func(n int) string {
		return writeScored(repeatStep(n, func(i int) step {
			return step{name: "run_sql", args: `{"sql":"` + []string{"BEGIN", "INSERT INTO t VALUES (1)", "ROLLBACK"}[i%3] + `"}`}
		}), writeSteps(repeatStep(n/4, orderStep("run_sql", `{"sql":"INSERT INTO t VALUES (%d)"}`, 0))))
	}},
}

func command(line string) step {
	return step{name: "bash", args: `{"command":` + quoteText(line) + `}`}
}
