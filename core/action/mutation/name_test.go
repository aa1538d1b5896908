package mutation

import (
	"os"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// checkNames checks that each name in a list separated by spaces gets the wanted verdict.
// The classifier has only the name, no definition and no arguments.
func checkNames(t *testing.T, want string, names string) {
	t.Helper()
	var c *Classifier
	for _, name := range strings.Fields(names) {
		v := c.Classify(name, jsonval.Value{})
		got := v.Mutating.String()
		if v.Control {
			got = "control"
		}
		if got != want {
			t.Errorf("%s: %s (%s: %s), want %s", name, got, v.Layer, v.Reason, want)
		}
		if v.Reason == "" || v.Layer == "" {
			t.Errorf("%s: verdict without layer or reason: %+v", name, v)
		}
	}
}

func TestNames(t *testing.T) {
	// Reading verbs, in every spelling of a name.
	checkNames(t, "no", `get_order get-order getOrder GetOrder getHTTPResponse orders.list
		list_products search_files fetch_url describe_table find_user_id_by_name
		mcp__server__read_file mcp__delete-bot__list_items github.get_issue functions.lookup
		issue_read label_list order_get order_get_details pull_request_read projects_list
		read view_file count_documents check_status verify_identity whoami ls grep
		checkBalance is_available has_access can_edit`)
	// Words after a reading verb are nouns.
	checkNames(t, "no", `list_update_history get_commit get_order_update list_releases
		get_start_time count_down_votes get_time_off list_push_subscriptions get_merge_request find_duplicate
		run_speed_test perform_health_check get_tweet wait_for browser_wait_for exchange_info server_time stock_price
		get_items_to_delete get_delete_status search_deleted_items get_block
		list_comments_and_labels get_create_options get_import_log`)
	// Noun phrases for information.
	checkNames(t, "no", `directory_tree weather order_history account_info server_status commit_history`)
	// Writing verbs.
	checkNames(t, "yes", `create_order delete-file updateUser send_email set_status cancel_booking
		order_cancel user.delete repo__create_issue browser_click order_pizza book_flight
		return_items exchange_items share_document post_message report_bug update_list
		comment_on_issue request_refund log_event sub_issue_write mark_as_read toggle_wifi
		update_history rm mkdir release_funds schedule_meeting publish push_files`)
	// A second action in a reading name.
	checkNames(t, "yes", `get_or_create_user read_and_delete findAndModify find_one_and_update
		order_inventory hold_inventory schedule_time read_write_file fetch_and_cache search_replace find_replace fetch_then_send check_in check_out_guest order_check_in
		look_up_and_update look_after_pet check_off_item get_rid_of_stock`)
	// Vague verbs, and names without a verb.
	checkNames(t, "unknown", `run_tests run_unit_test resolve_thread analyze_table take_snapshot run_script execute_query
		process_payment handle_request manage_alerts call_api sync_user_x do_it apply_x
		count_down count_down_start read_out
		select_option frobnicate order browser_check query_sql
		scrape_to_file wish_list_update_item saved_search_refresh query_save recall_message
		food_log spot_order convert_file create.list_x evaluate_script get_and_process`)
}

func TestLongNames(t *testing.T) {
	name := "get_" + strings.Repeat("issue_", 1<<16)
	if v := (*Classifier)(nil).Classify(name, jsonval.Value{}); v.Mutating != Unknown {
		t.Errorf("%+v", v)
	}
}

func TestSegments(t *testing.T) {
	for name, want := range map[string]string{
		"": "", "__": "", "get_order": "get order", "mcp__server__read_file": "read file", "MCP/server/read": "read",
		"mcp__read_file": "mcp|read file", "mcp": "mcp", "a__b__c": "a|b|c", "a___b": "a|b", "std::fs::read": "std|fs|read", "a:::b": "a|b",
		"github.get_issue": "github|get issue", "a#b:c/d": "a|b|c|d", "mcp.a.b.c": "b|c", "mcp__a__": "", "_a_b_": "a b",
	} {
		var parts []string
		for _, p := range splitSegments(name) {
			parts = append(parts, strings.Join(p, " "))
		}
		if got := strings.Join(parts, "|"); got != want {
			t.Errorf("segments(%q) = %s, want %s", name, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	for in, want := range map[string]string{
		"get_order": "get order", "get-order2x": "get order x", "getHTTPResponse": "get http response",
		"GetOrderID": "get order id", "A": "a", "": "", "__": "", "URLList": "url list", "ÄndereName": "Ändere name",
	} {
		if got := strings.Join(splitWords(in), " "); !strings.EqualFold(got, want) {
			t.Errorf("words(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestLeadWord checks that leadWord returns the first of the words that splitWords returns.
func TestLeadWord(t *testing.T) {
	for _, s := range []string{"", "a", "A", "  ", "_x y", "getUser", "GETUser", "SELECT 1", "9select", "aB", "AB", "ABc", "éa b", "select\nx", "x1y", "ÉA"} {
		want := ""
		if words := splitWords(s); len(words) > 0 {
			want = words[0]
		}
		if got := leadWord(s); got != want {
			t.Errorf("leadWord(%q) = %q, want %q", s, got, want)
		}
	}
}

// TestActsAreNoReads checks that a name with a verb of WordNet that changes something is
// never taken for a read, whatever it ends in, and that other names without a verb are.
func TestActsAreNoReads(t *testing.T) {
	table, err := os.ReadFile("../verbs/verbs.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, acts, _ := strings.Cut(string(table), "[acts]\n")
	all := strings.Fields(acts)
	if len(all) < 1500 {
		t.Fatalf("only %d verbs", len(all))
	}
	for i, verb := range all {
		noun := []string{"files", "messages", "status", "history", "pods_log"}[i%5]
		for _, name := range []string{verb + "_" + noun, "shop_" + verb + "_" + noun} {
			if v := New(nil, nil).Classify(name, jsonval.Value{}); v.Mutating == No {
				t.Errorf("%s: %s", name, v.Reason)
			}
		}
	}
	for _, name := range []string{"court_records", "music_files", "customer_messages", "enterprise_users", "exercise_history", "weather_status"} {
		if v := New(nil, nil).Classify(name, jsonval.Value{}); v.Mutating != No {
			t.Errorf("%s: %s", name, v.Reason)
		}
	}
}
