package policy

done(seconds) := [h | some h in input.history; h.tool == "refund"; h.outcome != "failed"; h.age < seconds]
deny if { input.tool == "refund"; count([h | some h in done(2592000); h.arguments.order_id == input.arguments.order_id]) >= 1 }
hold := 2 if { input.tool == "refund"; not fits }
amount(h) := h.arguments.amount if { h.arguments.currency == "EUR"; is_number(h.arguments.amount); h.arguments.amount >= 0 }
fits if sum([amount(h) | some h in done(86400)]) + amount(input) <= 500
