package policy

deny if { some v; walk(input.arguments, [_, v]); is_string(v); regex.match(`(?i)(api|secret)[_-]?key`, v) }
