package policy

bare := regex.replace(regex.replace(object.get(input.arguments, "query", ""), `'([^']|'')*'`, "''"), `/\*.*?\*/|--[^\n]*`, " ")
reads if {
	regex.match(`(?is)^\s*(select|with|explain)\b`, bare)
	not regex.match(`(?i);|\b(insert|update|delete|merge|drop|alter|create|truncate|into|call|copy|set|grant|lock)\b`, bare)
	not regex.match(`(?i)\b(pg|dblink|lo|nextval|setval|set_config)\w*\s*\(`, bare)
}
deny if { input.tool == "run_sql"; not reads }
allow if { input.tool == "run_sql"; reads }
