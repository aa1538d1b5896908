package policy

hold := 2 if { input.tool == "deploy"; not object.get(input.arguments, "env", "") in {"dev", "staging"} }
