package policy

inside if { is_string(input.arguments.path); startswith(input.arguments.path, "/srv/data/"); not ".." in split(input.arguments.path, "/") }
known if regex.match(`(?i)^https?://(api\.example\.com|[a-z0-9.-]+\.example\.org)(:\d+)?(/|\?|#|$)`, input.arguments.url)
deny if { input.tool == "read_file"; not inside }
deny if { startswith(input.tool, "fetch_"); not known }
