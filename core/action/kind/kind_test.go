package kind

import (
	"maps"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/mutation"
)

// compareValues compares two values, as JSON texts, of an argument without others beside it.
func compareValues(tool, key, a, b string) (Name, Outcome) {
	none := func(string) string { return "" }
	p := pair{tool: NewTool(tool), name: mutation.NameWords(key), many: isMany(key), a: newValue(a, none), b: newValue(b, none)}
	return p.compare()
}

// notations lists values of each kind, with the tool and the argument that hold them. The
// texts of one line between bars are notations of one value; lines are different values.
var notations = []struct {
	kind      Name
	tool, Key string
	Values    string
}{
	{UUID, "attach_file", "file_uuid", `"3F2504E0-4F89-11D3-9A0C-0305E82C3301" | "3f2504e0-4f89-11d3-9a0c-0305e82c3301" | "{3f2504e0-4f89-11d3-9a0c-0305e82c3301}" | "urn:uuid:3f2504e0-4f89-11d3-9a0c-0305e82c3301"
		"3f2504e0-4f89-11d3-9a0c-0305e82c3310" | "3F2504E0-4F89-11D3-9A0C-0305E82C3310"`},
	{Address, "block_ip", "address", `"2001:0db8:0000:0000:0000:0000:0000:0001" | "2001:db8::1" | "2001:DB8:0:0:0:0:0:1"
		"2001:db8::2"
		"2001:db8:1::1"`},
	{Address, "add_route", "destination", `"10.0.0.0/8" | "10.0.0.0/255.0.0.0"
		"10.0.0.0" | "10.0.0.0/32"
		"10.0.0.0/16"`},
	{Query, "explain_query", "sql", `"SELECT 1 FROM orders" | "-- all orders\nSELECT 1 FROM orders"
		"SELECT 2 FROM orders"`},
	{Command, "run_command", "command", `"rm -r /srv/logs" | "rm -r /srv/logs/"
		"rm -r /srv"
		"rm -r /"`},
	{Path, "move_file", "source", `"/home/lea/./notes.txt" | "/home/lea/notes.txt"
		"/home/lea/note.txt"`},
	{Quantity, "set_fridge", "temperature", `"50°F" | "10°C"
		"50°C"
		"10°F"`},
	{Message, "send_notice", "text", `"Open Mon–Fri, 9–17 h." | "Open Mon-Fri, 9-17 h."
		"Open Mon-Sat, 9-17 h."`},
	{Message, "send_message", "text", `"We will ship your order on Monday at 9 am." | "We will ship your order at 9 am on Monday."
		"We will ship your order on Tuesday at 9 am."
		"We will ship your order on Monday at 9 pm."`},
	{Country, "set_country", "country", `"Deutschland" | "Allemagne" | "Niemcy" | "DE"
		"Frankreich" | "France" | "Francja"
		"Österreich" | "AT"`},
	{Quantity, "limit_rate", "rate", `"10 Mb/s" | "10 Mbps" | "10 Mbit/s"
		"10 MB/s"
		"10 Gb/s"`},
	{Exact, "set_wifi", "passphrase", `"open sesame"
		"open sesame "`},
	{Code, "search_flights", "sort_order", `"asc" | "ascending" | "ASC"
		"desc" | "descending"`},
	{Code, "create_job", "schedule", `"@daily" | "0 0 * * *" | "@midnight"
		"@hourly" | "0 * * * *"
		"0 1 * * *"`},
	{Code, "set_heating", "days", `"MO" | "Monday" | "mon"
		"TU" | "Tuesday"`},
	{Code, "http_request", "method", `"get" | "GET"
		"post" | "POST"`},
	{Formula, "set_cell", "formula", `"=SUM(A1:A10)" | "=sum( A1:A10 )"
		"=SUM(A1:A11)"
		"=CONCAT(\"a b\")" | "=concat(\"a b\")"
		"=CONCAT(\"ab\")"
		"=CONCAT(\"A B\")"`},
	{Share, "adjust_rate", "rate_change", `"25 bps" | "0.25%"
		"25%"
		"2.5 bps"`},
	{Quantity, "order_tiles", "tiles", `"12 pcs" | "12 pieces" | "12"
		"13 pcs"`},
	{Phone, "get_line", "number", `"0049 170 5521" | "+49 170 5521" | "(+49) 170-5521"
		"+49 170 5522"`},
	{Exact, "check_area", "postcode", `"SW1A 1AA" | "SW1A1AA"
		"SW1A 1AB"`},
	{Message, "add_note", "text", `"VPN drops after sleep; a restart helps." | "VPN drops after sleep; a restart helps"
		"VPN drops after sleep; no restart helps."`},
	{Message, "reply_email", "body", `"Your new charger was sent yesterday." | "Dear Mr Oduya,\n\nYour new charger was sent yesterday.\n\nKind regards"
		"Dear Mr Oduya,\n\nYour new charger was sent today."`},
	{Message, "notify_tenant", "message", `"You may leave the flat by 1 June."
		"You must leave the flat by 1 June."`},
	{Exact, "set_lock", "code", `"0042"
		"42"
		"042"`},
	{Exact, "install", "version", `"1.10"
		"1.1"
		"1.1.0"`},
	{Message, "send_message", "body", `"We can't ship order 7 before Friday." | "We cannot ship order 7 before Friday" | "Hello, please note that we can not ship the order 7 before Friday, thanks."
		"We can ship order 7 before Friday."
		"We can't ship order 8 before Friday."`},
	{Message, "notify_user", "message", `"It's ready for pickup at desk 4." | "It is ready for pickup at desk 4."
		"It was ready for pickup at desk 4."
		"It is ready for pickup at desk 5."`},
	{Message, "notify_customer", "message", `"Your order has been shipped." | "Your order was shipped."
		"Your order will be shipped."
		"We will ship your order."`},
	{Message, "reply_to_offer", "text", `"We accept your offer of 900." | "Hello, we accept your offer of 900, thanks."
		"We decline your offer of 900."
		"We have rejected your offer of 900."`},
	{Message, "post_reply", "text", `"An upgrade is possible on this fare."
		"An upgrade is impossible on this fare."
		"An upgrade is not possible on this fare."`},
	{Message, "post_reply", "text", `"The room will be available tomorrow."
		"The room will be unavailable tomorrow."
		"The room will be available today."
		"The room was available tomorrow."`},
	{Message, "send_sms", "text", `"The office opens before noon." | "Hi, the office opens before noon."
		"The office closes before noon."
		"The office opens after noon."`},
	{Content, "write_file", "content", `"a: 1\nb: 2" | "a: 1\nb: 2\n"
		"a: 1\n  b: 2"
		"a: 1\nb:  2"`},
	{Content, "edit_file", "new_string", `"return 1"
		"    return 1"`},
	{JSON, "update_settings", "settings", `"{\"a\":1,\"b\":[1,2]}" | "{ \"b\": [1, 2],\n \"a\": 1 }" | "{\"b\":[1.0,2],\"a\":1}"
		"{\"a\":1,\"b\":[2,1]}"
		"{\"a\":\"1\",\"b\":[1,2]}"`},
	{XML, "save_layout", "xml", `"<a x=\"1\"><b/></a>" | "<a  x='1' ><b></b></a>" | "<a x = \"1\"><b /></a>"
		"<a x=\"2\"><b/></a>"
		"<a x=\"1\"> <b/></a>"`},
	{Query, "run_sql", "sql", `"DELETE FROM t WHERE id=1" | "delete from t\n  where id = 1;" | "DELETE FROM t -- all of it\nWHERE id /* the key */ = 1"
		"DELETE FROM t WHERE id=2"
		"DELETE FROM t WHERE id='1'"
		"DELETE FROM t WHERE id=1 OR 1=1"`},
	{Query, "run_sql", "query", `"UPDATE t SET a='x  y'" | "update t set a = 'x  y'"
		"UPDATE t SET a='x y'"
		"UPDATE t SET a='X  y'"`},
	{Command, "bash", "command", `"rm -f a.txt" | "rm  -f 'a.txt' " | "rm -f \"a.txt\""
		"rm -f a.txt b"
		"rm -f 'a.txt '"
		"rm -f a.txt; ls"`},
	{Command, "bash", "command", `"echo a 2>b" | "echo a  2>b"
		"echo a 2 >b"
		"echo a 2>>b"`},
	{Formula, "set_formula", "formula", `"=A1+B2*3" | "=A1 + B2 * 3"
		"=A1+B2*4"
		"=A1+(B2*3)"`},
	{Formula, "save_curve", "expression", `"2*x^2+1" | "2x**2 + 1" | "2x^2+1"
		"2*x^3+1"
		"(2*x)^2+1"`},
	{Path, "delete_file", "path", `"docs/a.txt" | "./docs/a.txt" | "docs//a.txt" | "docs/x/../a.txt" | "docs/a.txt/"
		"docs/b.txt"
		"/docs/a.txt"
		"../docs/a.txt"`},
	{Address, "create_webhook", "url", `"https://x.org/a%2Fb" | "HTTPS://X.org:443/a%2fb" | "https://x.org/%61%2fb"
		"http://x.org/a%2Fb"
		"https://x.org/A%2Fb"
		"https://x.org:8443/a%2Fb"`},
	{Boolean, "set_option", "enabled", `true | "on" | "yes" | "True" | "enabled" | 1
		false | "off" | "no" | 0 | "disabled"`},
	{Money, "refund", "amount", `"USD 20" | "$20.00" | "20 USD" | "US$ 20" | "usd 20.0"
		"EUR 20" | "€20" | "20,00 EUR" | "20 euros"
		"USD 21"
		"-20 USD"`},
	{Money, "pay", "amount", `"1.250,00 EUR" | "EUR 1,250.00" | "€1250" | "1 250 EUR"
		"EUR 1.25"
		"EUR 12,500"`},
	{Share, "set_rate", "discount_rate", `"15%" | 0.15 | "15 %" | "15 percent"
		"16%" | 0.16
		"1.5%"`},
	{Share, "set_layer", "opacity", `"50%" | 0.5 | ".50" | "50 %"
		"5%"
		0.55`},
	{Share, "set_level", "percentage", `"15%" | 15 | "15 percent"
		"25%" | 25`},
	{Number, "set_limit", "limit", `1000000 | "1,000,000" | "+1000000" | "1 000 000" | "1_000_000" | "1000000.0"
		100000
		"-1,000,000"
		1000001`},
	{Number, "set_weight", "weight", `0.3 | 0.30000000000000004 | "0.30" | ".3" | "+.30"
		0.31
		-0.3`},
	{Quantity, "set_length", "length", `"1.5 m" | "150 cm" | "1500mm" | "1.5 meters"
		"1.5 mm"
		"15 cm"
		"1.5 kg"`},
	{Date, "book", "date", `"2025-09-05" | "2025-9-5" | "5 September 2025" | "20250905" | "2025/09/05" | "5.9.2025"
		"2025-05-09"
		"2024-09-05"`},
	{Clock, "set_alarm", "time", `"14:00" | "2:00 PM" | "2pm" | "02:00 p.m." | "14:00:00"
		"02:00" | "2:00 AM" | "2 am"
		"12:00" | "noon" | "12 PM"
		"00:00" | "12:00 AM" | "midnight"`},
	{Instant, "schedule", "start", `"2025-09-05T14:00:00" | "2025-09-05 2:00 PM" | "5 September 2025 at 14:00" | "2025-09-05 14:00"
		"2025-09-05T02:00:00"
		"2025-09-06T14:00:00"`},
	{Instant, "schedule", "start_time", `"2025-09-05T14:00:00Z" | "2025-09-05T16:00:00+02:00" | 1757080800 | "2025-09-05T14:00:00.000Z"
		"2025-09-05T14:00:00+02:00"`},
	{Zone, "set_zone", "timezone", `"UTC" | "Z" | "GMT" | "Etc/UTC" | "utc"
		"Europe/Rome" | "europe/rome"
		"Europe/Berlin"`},
	{Duration, "set_timer", "duration", `300 | "PT5M" | "5 minutes" | "5m" | "300s" | "0h 5min"
		"PT5H" | "5 hours"
		"5 seconds"`},
	{Duration, "delete_recordings", "older_than", `"90d" | "90 days" | "90 Days"
		"9 days"
		"90 hours"`},
	{Duration, "set_timer", "duration_minutes", `90 | "PT1H30M" | "1h 30m" | "90 minutes" | "1.5 hours"
		91
		"90 hours"`},
	{Phone, "block_caller", "phone", `"+49 30 5550142" | "+49305550142" | "0049 (30) 555-0142" | "tel:+49-30-5550142"
		"+49 30 5550143"
		"+43 30 5550142"`},
	{Language, "publish", "language", `"de" | "German" | "deu" | "DE"
		"nl" | "Dutch"
		"da"`},
	{Country, "set_country", "country", `"DE" | "Germany" | "DEU" | "germany"
		"NE" | "Niger"
		"NG" | "Nigeria"
		"US" | "USA" | "United States of America"`},
	{Currency, "set_currency", "currency", `"EUR" | "eur" | "€" | "Euro"
		"USD" | "$" | "US dollar"
		"AUD"`},
	{Text, "rename", "title", `"Caf\u00e9" | "Cafe\u0301" | " Caf\u00e9 "
		"Cafe"
		"Caf\u00e8"`},
	{Color, "set_theme", "color", `"#FFF" | "#ffffff" | "#FFFFFF"
		"#FFE"
		"#000000"`},
	{Mail, "send_report", "to", `"a@x.org" | "Ana Ito <a@x.org>" | "mailto:a@x.org" | "A@X.org"
		"b@x.org"
		"a@y.org"`},
	{Date, "set_shift", "weekday", `"Monday" | "mon" | "MONDAY"
		"Tuesday" | "Tue"`},
	{Date, "set_period", "month", `"September" | "Sep" | 9 | "09"
		"October" | 10`},
	{Number, "set_quantity", "quantity", `3 | "three" | "3.0"
		"thirteen"
		"four" | 4`},
	{Number, "set_budget", "budget", `2500000 | "2.5 million" | "2.5M" | "2,500,000" | "2.5e6"
		"2.5 thousand" | "2.5k"
		"2.5 billion"`},
	{Number, "set_ratio", "width", `0.5 | "1/2"
		"1/3"
		"2/1" | 2`},
	{Exact, "add_card", "card_number", `"4111 1111 1111 1111" | "4111111111111111" | "4111-1111-1111-1111"
		"4111 1111 1111 1112"`},
	{Zone, "set_zone", "timezone", `"UTC+2" | "+02:00" | "GMT+02:00"
		"UTC-2"
		"+02:30"`},
	{Duration, "set_timer", "duration", `"01:30:00" | "90 minutes" | "PT1H30M"
		"00:01:30" | 90`},
	{List, "tag_photo", "labels", `"red, blue" | "red,blue"
		"red, green"
		"redblue"`},
	{Text, "rename", "title", `"It’s “new” – don’t miss it" | "It's \"new\" - don't miss it" | "It is \"new\" - do not miss it"
		"It's \"new\" - do miss it"
		"It's \"old\" - don't miss it"`},
	{Money, "set_budget", "budget", `"USD 1,500,000" | "1.5M USD" | "USD 1.5M" | "$1.5 million" | "1.5 million USD" | "1500k USD"
		"1.5 USD" | "$1.50"
		"1.5M EUR" | "€1.5m"
		"1.5bn USD"
		"1.6M USD"`},
	{Quantity, "set_speed", "limit", `"80 km/h" | "80 kph" | "80 kmh" | "80 kilometers per hour"
		"80 mph" | "80 miles per hour"
		"80 m/s"
		"80 km"`},
	{Quantity, "set_area", "area", `"2 ha" | "20000 m²" | "20,000 sqm" | "20000 square meters" | "0.02 km2"
		"2 acres"
		"2 m²" | "2 m2"
		"20000 m"`},
	{Quantity, "set_meter", "energy", `"1.5 kWh" | "1500 Wh"
		"1.5 kW"
		"1.5 Wh"
		"1.5 MWh"`},
	{Quantity, "set_tyre", "pressure", `"2.2 bar" | "220 kPa" | "2200 hPa"
		"2.2 psi"
		"220 bar"`},
	{Quantity, "turn", "angle", `"90°" | "90 degrees" | "90 deg"
		"90 rad"
		"-90°"`},
	{Phone, "update_contact", "phone", `"+44 (0)20 7946 0018" | "+442079460018" | "0044 20 7946 0018"
		"+44 (1)20 7946 0018"`},
	{Instant, "schedule_job", "begin", `"2025-02-03 7:30 AM EST" | "2025-02-03T12:30:00Z"
		"2025-02-03 7:30 PM EST"`},
	{Instant, "schedule_job", "go_live", `1738585800 | "2025-02-03T12:30:00Z"
		"2025-02-03T12:31:00Z"`},
	{Zone, "set_clock", "utc_offset", `"UTC+03:30" | "+03:30"
		"-03:30"`},
	{Boolean, "开启续费", "启用", `"是" | true
		"否"`},
	{Query, "run_sql", "query", `"UPDATE t SET x = FALSE WHERE id = 7" | "update t set x = false where id = 7"
		"UPDATE t SET x = TRUE WHERE id = 7"`},
	{Money, "place_bid", "max_bid", `"£0.75" | "75p" | "GBP 0.75"
		"57p"
		"£75"`},
	{Number, "set_step", "step_size", `"4e-3" | 0.004
		"4e3"`},
	{Number, "set_count", "count", `"١٢" | "１２" | 12
		"١٣"`},
	{Query, "run_sql", "query", `"DELETE FROM t WHERE id IN (7)" | "DELETE FROM t WHERE id = 7"
		"DELETE FROM t WHERE id IN (7, 8)"
		"DELETE FROM t WHERE id NOT IN (7)"`},
	{XML, "put_doc", "document", `"<a x=\"1\" y=\"2\"><b/></a>" | "<a y='2' x='1'><b></b></a>"
		"<a x=\"2\" y=\"1\"><b/></a>"`},
	{Quantity, "limit_link", "rate", `"100 Mbps" | "100 Mbit/s" | "0.1 Gbps"
		"100 MB/s"
		"100 kbps"`},
	{Quantity, "add_run", "kilometers", `5 | "5 km" | "5000 m"
		"5 miles"
		"5 m"
		50`},
	{Duration, "set_probe", "interval", `"1500ms" | "1.5s" | "PT1.5S" | "1500 milliseconds"
		"15000ms"
		"1500s"`},
	{XML, "send_order", "xml", `"<o><id>5</id><qty>2</qty></o>" | "<o>\n  <id>5</id>\n  <qty>2</qty>\n</o>"
		"<o>\n  <id>5</id>\n  <qty>3</qty>\n</o>"
		"<o><id>5\n</id><qty>2</qty></o>"`},
	{Language, "set_menu", "langue", `"German" | "de"
		"fr"`},
	{Duration, "snooze", "minutes", `45 | "45 min" | "45 minutes" | "PT45M" | "2700 s"
		"45 s"
		"45 hours"
		54`},
	{Duration, "extend", "days", `14 | "14 days" | "2 weeks" | "P14D"
		"14 weeks"
		"14 hours"`},
	{Duration, "extend", "period", `"12 months" | "1 year" | "P1Y" | "P12M"
		"1 month" | "P1M" | "one month"
		"2 years"
		"12 weeks"`},
	{Date, "file_return", "period", `"2025-Q1" | "Q1 2025" | "Q1/2025" | "2025Q1" | "first quarter 2025" | "1st quarter of 2025"
		"2025-Q2" | "Q2 2025"
		"2024-Q1" | "Q1 2024"
		"2025-01"`},
	{Date, "bill_month", "month", `"2025-03" | "March 2025" | "Mar 2025" | "03/2025" | "2025/03"
		"2025-05" | "May 2025"
		"2024-03"`},
	{Date, "plan_week", "week", `"2025-W10" | "W10 2025" | "week 10 of 2025" | "2025W10"
		"2025-W11"
		"2024-W10"`},
	{Zone, "set_zone", "timezone", `"Asia/Kolkata" | "Asia/Calcutta" | "asia/kolkata"
		"Asia/Karachi"
		"Asia/Colombo"`},
	{Zone, "set_zone", "timezone", `"America/New_York" | "US/Eastern"
		"US/Central" | "America/Chicago"
		"America/Toronto" | "Canada/Eastern"`},
	{Message, "send_message", "text", `"The call is on Friday at 5 pm." | "The call is on Friday at 17:00." | "The call is on Friday at 5:00 p.m."
		"The call is on Friday at 5 am."
		"The call is on Friday at 15:00."`},
	{Quantity, "set_temperature", "temperature", `"21 °C" | "21C" | "21 degrees Celsius" | "21 deg C"
		"21 °F" | "21 degrees Fahrenheit"
		"12 °C"`},
	{Quantity, "order_drug", "dose", `"5 µg" | "5 mcg" | "0.005 mg"
		"5 mg" | "5000 mcg"`},
	{Quantity, "set_wind", "wind", `"5 km/h" | "5 km per hour" | "5 kilometers per hour"
		"5 m/s" | "5 m per second"`},
	{Clock, "set_alarm", "time", `"14:00" | "14h00" | "1400" | "14:00 h"
		"04:00" | "0400" | "4h00"
		"14:40" | "14h40"`},
	{Instant, "schedule", "start", `"2025-09-05T14:00Z" | "2025-09-05T14:00:00+00:00" | "2025-09-05 16:00 +02:00" | "20250905T140000Z"
		"2025-09-05T14:00+02:00"
		"20250905T140100Z"`},
	{Duration, "set_timer", "duration", `"1.5h" | "1h30" | "90 min" | "ninety minutes"
		"1h03"
		"1.3h"`},
	{Duration, "set_timer", "duration", `"half an hour" | "30 minutes" | "thirty minutes"
		"an hour" | "one hour" | "60 min"
		"two hours"`},
	{Color, "set_theme", "color", `"rgb(255, 0, 0)" | "#f00" | "red" | "Red"
		"rgb(0, 0, 255)" | "blue"
		"green"
		"#00ff00" | "lime"`},
	{Number, "set_quantity", "quantity", `20 | "twenty" | "20.0"
		"twelve" | "a dozen" | 12
		"twenty-five" | 25
		"half" | "½" | 0.5`},
	{UUID, "attach_file", "uuid", `"3f2504e04f8911d39a0c0305e82c3301" | "3F2504E0-4F89-11D3-9A0C-0305E82C3301"
		"3f2504e04f8911d39a0c0305e82c3310"`},
	{Exact, "allow_card", "mac", `"00:1A:2B:3C:4D:5E" | "00-1a-2b-3c-4d-5e"
		"00:1A:2B:3C:4D:5F"`},
	{Text, "rename", "title", `"\ud55c" | "\u1112\u1161\u11ab"
		"\ud558"`},
	{Code, "set_permissions", "mode", `"755" | "0755" | "0o755" | "rwxr-xr-x" | "u=rwx,go=rx" | "u=rwx,g=rx,o=rx"
		"644" | "u=rw,go=r"
		"777" | "a=rwx"`},
	{Code, "create_job", "schedule", `"*/15 * * * *" | "0,15,30,45 * * * *"
		"*/20 * * * *"
		"15 * * * *"`},
	{Code, "create_job", "cron", `"0 9 * * 1-5" | "0 9 * * MON-FRI" | "0 9 * * mon,tue,wed,thu,fri"
		"0 9 * * *"
		"9 0 * * 1-5"`},
	{Code, "create_job", "cron", `"0 0 * * 0" | "@weekly" | "0 0 * * sun"
		"@daily" | "0 0 * * *"`},
	{Code, "create_event", "recurrence", `"FREQ=WEEKLY;BYDAY=MO,TH" | "RRULE:FREQ=WEEKLY;INTERVAL=1;BYDAY=TH,MO" | "freq=weekly;byday=mo,th"
		"FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH"
		"FREQ=MONTHLY"`},
	{Code, "run_container", "image", `"redis" | "redis:latest" | "docker.io/library/redis" | "library/redis:latest"
		"redis:7"
		"bitnami/redis"
		"quay.io/library/redis"`},
	{Code, "clone", "repository", `"https://github.com/kite/web.git" | "git@github.com:kite/web.git" | "kite/web" | "ssh://git@github.com/kite/web" | "github.com/Kite/web/"
		"kite/webs"
		"https://git.kite.example/kite/web"`},
	{Code, "checkout", "ref", `"HEAD~1" | "HEAD~" | "HEAD^"
		"HEAD~2"
		"HEAD"`},
	{Code, "rebook", "flight", `"LH 400" | "LH400" | "lh 0400"
		"LH 404"
		"BA 400"`},
	{Code, "convert", "pair", `"EUR/USD" | "EURUSD" | "eur-usd"
		"USD/EUR"
		"EUR/GBP"`},
	{Code, "add_filter", "operator", `">=" | "gte" | "GE"
		">" | "gt" | "greater than"
		"<=" | "lte"`},
	{Code, "set_log", "level", `"warn" | "WARNING"
		"error" | "err"
		"info"`},
	{Code, "react", "emoji", `":thumbsup:" | "\ud83d\udc4d" | "+1" | "thumbs_up"
		":tada:" | "\ud83c\udf89"
		"\u2764\ufe0f" | ":heart:" | "\u2764"`},
	{Code, "ship", "state", `"CA" | "California" | "ca"
		"NY" | "New York"
		"WA" | "Washington"`},
	{Code, "buy", "ticker", `"AAPL" | "aapl"
		"AMZN"`},
	{Code, "list_orders", "sort", `"-created_at" | "created_at desc" | "created_at:DESC"
		"created_at" | "+created_at" | "created_at asc"
		"-updated_at"`},
	{Exact, "cite", "doi", `"10.1000/xyz123" | "https://doi.org/10.1000/XYZ123" | "doi:10.1000/xyz123"
		"10.1000/xyz132"`},
	{Exact, "get_book", "isbn", `"978-3-16-148410-0" | "9783161484100" | "3-16-148410-X" | "ISBN 978-3-16-148410-0"
		"978-3-16-148411-7"`},
	{Exact, "wire", "bic", `"DEUTDEFF" | "DEUTDEFFXXX" | "deutdeff"
		"DEUTDEDB"`},
	{Exact, "set_employee", "ssn", `"123-45-6789" | "123456789"
		"123-45-6798"`},
	{Exact, "add_payee", "sort_code", `"12-34-56" | "123456" | "12 34 56"
		"12-34-65"`},
	{Exact, "verify", "digest", `"SHA256:44136FA355B3678A1146AD16F7E8649E94FB4FC21FE77E8310C060F61CAAFF8A" | "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
		"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8b"`},
	{Number, "set_register", "value", `"0x1F" | 31 | "0b11111" | "0o37" | "0x1f"
		"0x2F" | 47
		1`},
	{Number, "set_chapter", "chapter", `"IV" | 4 | "4th" | "fourth"
		"VI" | 6
		14 | "XIV"`},
	{Number, "set_amount", "amount", `"1 1/2" | 1.5 | "1\u00bd"
		"1/2" | 0.5
		"1 1/4" | 1.25`},
	{Number, "book_entry", "amount", `"(45.00)" | -45 | "-45.00"
		45 | "45.00"`},
	{Number, "set_count", "count", `"one hundred and twenty" | 120 | "a hundred and twenty"
		"one hundred" | 100
		"one hundred twelve" | 112`},
	{Number, "record", "total", `"1.5\u00d710^6" | 1500000 | "1.5e6" | "1.5 million"
		"1.5\u00d710^5"`},
	{Money, "charge", "amount_cents", `4500 | "$45.00" | "45 USD"
		450 | "$4.50"`},
	{Money, "pay", "amount", `"EUR 45,-" | "45 EUR" | "\u20ac45.00"
		"EUR 54,-"`},
	{Share, "set_fee", "fee", `"1\u2030" | "0.1%" | "10 bps"
		"1%"`},
	{Quantity, "set_flow", "flow", `"2 L/min" | "2000 ml/min" | "2 liters per minute" | "120 l/h"
		"2 L/h"
		"2 L"`},
	{Quantity, "record_lab", "value", `"5.5 mmol/L" | "5500 \u00b5mol/L" | "5500 umol/l"
		"5.5 mol/L"
		"5.5 mg/L"`},
	{Quantity, "set_part", "capacity", `"4.7 mF" | "4700 \u00b5F" | "4700 microfarad"
		"4.7 nF"`},
	{Quantity, "set_part", "charge", `"2 Ah" | "2000 mAh"
		"2 A"
		"20 Ah"`},
	{Quantity, "set_patient", "height", `"5'11\"" | "5 ft 11 in" | "71 in" | "71 inches"
		"5'1\""
		"5 ft"`},
	{Quantity, "set_baby", "weight", `"6 lb 4 oz" | "100 oz"
		"6 lb"`},
	{Quantity, "set_oven", "temperature", `"300 K" | "26.85 \u00b0C" | "80.33 \u00b0F"
		"300 \u00b0C"`},
	{Quantity, "set_pod", "memory", `"1Gi" | "1024Mi" | "1 GiB"
		"1Mi"`},
	{Quantity, "set_pod", "cpu", `"500m" | 0.5 | "0.5"
		"50m"
		500 | "500"`},
	{Quantity, "drop_pin", "latitude", `48.5 | "48\u00b030'N" | "48.5\u00b0 N" | "48\u00b030'0\" N"
		-48.5 | "48\u00b030'S"
		48.3`},
	{Date, "book", "date", `"2026-06-03" | "2026-W23-3" | "2026-154" | "June 3rd, 2026" | "Wed, 3 Jun 2026" | "3rd of June 2026" | "03-Jun-2026"
		"2026-06-04" | "2026-W23-4"
		"2025-06-03"`},
	{Instant, "schedule", "publish_at", `"Wed, 03 Jun 2026 10:00:00 GMT" | "2026-06-03T10:00:00Z" | "2026-06-03T10:00:00+0000" | 1780480800000
		"2026-06-03T11:00:00Z"`},
	{Clock, "set_alarm", "time", `"half past seven" | "7:30" | "7.30am"
		"quarter to eight" | "7:45"
		"7 o'clock" | "07:00"`},
	{Duration, "trim", "length_seconds", `225 | "3:45" | "3m45s"
		"3:54"`},
	{Duration, "extend", "period", `"a fortnight" | "14 days" | "2 weeks"
		"a week"`},
	{Color, "set_theme", "color", `"rebeccapurple" | "#663399" | "#663399ff" | "rgb(102 51 153)"
		"hsl(0, 60%, 50%)" | "#cc3333"
		"#66339900"`},
	{Path, "open_file", "path", `"C:\\Temp\\a.txt" | "c:/temp/A.TXT"
		"C:\\Temp\\b.txt"`},
	{Address, "crawl", "url", `"https://x.org/s?q=blue+lake" | "https://x.org/s?q=blue%20lake" | "https://x.org/a/../s?q=blue+lake#"
		"https://x.org/s?q=bluelake"
		"https://x.org/a/s?q=blue+lake"`},
	{Query, "run_query", "query", `"DELETE FROM t WHERE a <> 3 AND b = 2" | "delete from t where b = 2 and a != 3"
		"DELETE FROM t WHERE a <> 3 OR b = 2"
		"DELETE FROM t WHERE a <> 2 AND b = 3"`},
	{Query, "update_rows", "where", `"a = 1 and b = 2" | "b = 2 AND a = 1"
		"a = 2 and b = 1"
		"a = 1 or b = 2"`},
	{Query, "graphql", "query", `"{ user(id: 4) { name, mail } }" | "query {\n  user(id: 4) {\n    name\n    mail\n  }\n}"
		"{ user(id: 4) { name } }"
		"{ user(id: 5) { name, mail } }"`},
	{Command, "bash", "command", `"rm -rf build" | "rm -r -f build" | "rm -fr build" | "rm --recursive --force build/"
		"rm -r build"
		"rm -rf build src"`},
	{Command, "bash", "command", `"head -n 5 a.txt" | "head -n5 a.txt" | "head --lines=5 a.txt" | "head --lines 5 a.txt"
		"head -c 5 a.txt"
		"head -n 50 a.txt"`},
	{Content, "run_python", "code", `"print('a')" | "print(\"a\")"
		"print('b')"
		"print(a)"`},
	{Content, "apply", "yaml", `"a:\n  b: 1\n  c: [x, y]\n" | "a: {b: 1, c: [x, y]}" | "a:\n  c:\n  - x\n  - y\n  b: 1"
		"a:\n  b: 1\nc: [x, y]\n"
		"a: {b: 1, c: [y, x]}"
		"a: {b: \"1\", c: [x, y]}"`},
	{Content, "save_page", "markdown", `"* read _this_.\n* and __that__" | "- read *this*.\n- and **that**"
		"* read _this_.\n* and that"`},
	{Content, "set_config", "toml", `"port = 80\n" | "port=80"
		"port = 81"`},
	{List, "print", "pages", `"1-4" | "1,2,3,4" | "1, 2-4"
		"1,4"
		"1-3"`},
	{List, "set_hours", "days", `"Mon-Fri" | "weekdays" | "Monday, Tuesday, Wednesday, Thursday, Friday"
		"Mon, Fri"
		"weekends"`},
	{List, "create_vm", "labels", `"team=web,tier=1" | "tier=1, team=web"
		"team=web,tier=2"`},
	{List, "set_window", "hours", `"9-17" | "09:00-17:00" | "9am-5pm" | "9 am to 5 pm"
		"10-17"
		"9-16"`},
	{Code, "set_video", "ratio", `"16:9" | "16/9" | "1920:1080" | "16 x 9"
		"9:16"
		"4:3"`},
	{Exact, "allow", "mac", `"001A.2B3C.4D5E" | "00:1a:2b:3c:4d:5e"
		"00:1a:2b:3c:4d:5f"`},
	{Address, "fetch", "url", `"https://x.org/caf%C3%A9" | "https://x.org/caf\u00e9"
		"https://x.org/cafe"`},
	{Message, "send_message", "text", `"Your total is $1,200 today." | "Your total is 1200 USD today." | "Your total is 1,200 dollars today."
		"Your total is 1,300 dollars today."
		"Your total is 1,200 EUR today."`},
	{Text, "rename", "title", `"H\u2082O \ufb01lter" | "H2O filter" | "H2O\u200b filter"
		"H2O fitter"`},
	{Message, "send_message", "text", `"The visit is on 12 March at 9 am." | "The visit is on March 12 at 9:00 AM." | "Hello, the visit is on March 12th at 9 am. Have a nice day!"
		"The visit is on 13 March at 9 am."
		"The visit is on 12 May at 9 am."`},
}

// unsure lists pairs that no table decides: they may mean the same, so only a judge can say.
var unsure = []struct{ tool, key, a, b string }{
	{"extend_lease", "extension", `"30 days"`, `"1 month"`},
	{"extend_lease", "period", `"365 days"`, `"1 year"`},
	{"extend_lease", "period", `"P1M"`, `"4 weeks"`},
	{"put_config", "body", `"{\"port\": 6379}"`, `"{\"port\": \"6379\"}"`},
	{"submit_sitemap", "url", `"https://x.org/q?a=2&a=1"`, `"https://x.org/q?a=1&a=2"`},
}

// TestUnsure checks that such pairs are neither the same nor certain to differ, both ways
// round, and that a pair with another value differs.
func TestUnsure(t *testing.T) {
	for _, u := range unsure {
		for _, p := range [...][2]string{{u.a, u.b}, {u.b, u.a}} {
			if kind, o := compareValues(u.tool, u.key, p[0], p[1]); o != Unsure {
				t.Errorf("%s(%s): %s and %s: %s %d", u.tool, u.key, p[0], p[1], kind, o)
			}
		}
	}
	for _, u := range []struct{ tool, key, a, b string }{
		{"extend_lease", "extension", `"20 days"`, `"1 month"`},
		{"pay_invoice", "invoice_number", `"2025-12"`, `"12-2025"`},
		{"set_seat", "seat", `"12A"`, `"12C"`},
		{"extend_lease", "extension", `"30 days"`, `"2 months"`},
		{"put_config", "body", `"{\"port\": 6379}"`, `"{\"port\": \"6380\"}"`},
		{"submit_sitemap", "url", `"https://x.org/q?b=2&a=1"`, `"https://x.org/q?a=2&b=1"`},
	} {
		if kind, o := compareValues(u.tool, u.key, u.a, u.b); o != Differs {
			t.Errorf("%s(%s): %s and %s: %s %d", u.tool, u.key, u.a, u.b, kind, o)
		}
	}
}

// TestNotations checks each kind: each notation of a value equals each other notation of
// it, both ways round, and differs from each notation of another value.
func TestNotations(t *testing.T) {
	equal, different := 0, 0
	for _, row := range notations {
		var values [][]string
		for line := range strings.SplitSeq(row.Values, "\n") {
			values = append(values, strings.Split(strings.TrimSpace(line), " | "))
		}
		for i, same := range values {
			for _, a := range same {
				for k, others := range values {
					for _, b := range others {
						if a == b {
							continue
						}
						_, o := compareValues(row.tool, row.Key, a, b)
						if i == k {
							equal++
						} else {
							different++
						}
						if (o == Same) != (i == k) || o == Open {
							t.Errorf("%s: %s(%s): %s and %s: %d", row.kind, row.tool, row.Key, a, b, o)
						}
					}
				}
			}
		}
	}
	if equal < 250 || different < 400 {
		t.Errorf("%d equal pairs, %d different ones", equal, different)
	}
	t.Logf("%d equal pairs, %d different ones", equal, different)
}

// TestNotationWords checks that notationWords has exactly the words for which there are notations.
func TestNotationWords(t *testing.T) {
	want := map[string]bool{}
	add := func(names string) {
		for w := range strings.FieldsSeq(names) {
			want[w] = true
		}
	}
	add(" type mime media format " + anyCase())
	for _, row := range listedWords() {
		add(row.names)
	}
	for i := range codePrefixes {
		add(codePrefixes[i].names)
	}
	for i := range ruledNames {
		add(ruledNames[i].names)
	}
	got := map[string]bool{}
	for w := range strings.FieldsSeq(notationWords) {
		got[w] = true
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestChangedDigits checks that a value with one changed digit is not the same as any
// notation of the value.
func TestChangedDigits(t *testing.T) {
	changed := 0
	for _, row := range notations {
		for line := range strings.SplitSeq(row.Values, "\n") {
			same := strings.Split(strings.TrimSpace(line), " | ")
			for _, a := range same {
				for i := range len(a) {
					if a[i] < '0' || a[i] > '9' || strings.Contains(a, "00000000000") || strings.Contains(a, `\u`) || i > 0 && a[i-1] == '%' {
						continue
					}
					digit := byte('0' + (a[i]-'0'+3)%10)
					b := a[:i] + string(digit) + a[i+1:]
					for _, c := range same {
						changed++
						if kind, o := compareValues(row.tool, row.Key, b, c); o == Same {
							t.Errorf("%s(%s): %s, changed to %s, is the same %s as %s", row.tool, row.Key, a, b, kind, c)
						}
					}
				}
			}
		}
	}
	if changed < 2000 {
		t.Errorf("%d changed values", changed)
	}
	t.Logf("%d changed values", changed)
}
