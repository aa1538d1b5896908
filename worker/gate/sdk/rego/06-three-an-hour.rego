package policy

deny if { input.tool == "refund"; count([h | some h in input.history; h.tool == "refund"; h.agent == input.agent; h.outcome != "failed"; h.age < 3600]) >= 3 }
