package gate

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// sheet is one page for people. The table of sheets is the source of the router, of
// Serves and of the paths after signing in, so each path is written once.
type sheet struct {
	pattern string // of http.ServeMux, without a method
	// get and post answer their methods; nil answers 405. GET never changes anything,
	// because programs open links, too.
	get, post func(*Gate, *visit)
	open      bool // needs no session
	signed    bool // what is posted comes from a service that signs it, and not from the gate's pages
	lands     bool // a visitor may be sent here after signing in
}

// visit is one request for a page. A posted form has been read, and was checked to come
// from the gate's own pages.
type visit struct {
	w    http.ResponseWriter
	r    *http.Request
	id   string // the {id} of the path
	s    session
	who  machine.Principal
	form url.Values
	// batch holds the calls that the form of a batch decides; nil on other pages.
	batch []machine.Record
	// link is the token of a link that decides one call; "" on other pages.
	link string
	// before holds, by the id of an edited call, the call before the edit.
	before map[string]*machine.Record
	givers []machine.Delegation      // to the visitor, see delegationsOf; nil until they are read
	states map[string]*store.Preview // what was read of the present state, by the id of a call
}

func pageSheets() []*sheet {
	return []*sheet{
		{pattern: "/{$}", get: func(_ *Gate, v *visit) { redirectTo(v.w, pendingPath) }, open: true},
		{pattern: "/gate.css", get: (*Gate).styleSheet, open: true},
		{pattern: pendingPath, get: (*Gate).listPage, post: (*Gate).allDenied, lands: true},
		{pattern: allPath, get: (*Gate).allPage, post: (*Gate).allDecided, lands: true},
		{pattern: rememberedPath, get: (*Gate).rememberedPage, post: (*Gate).forgetPosted, lands: true},
		{pattern: delegationsPath, get: (*Gate).delegationsPage, post: (*Gate).delegationPosted, lands: true},
		{pattern: callPath + "{id}", get: (*Gate).callPage, post: (*Gate).decisionPosted, lands: true},
		{pattern: definitionsPath, get: (*Gate).definitionsPage, post: (*Gate).definitionPosted, lands: true},
		{pattern: freezePath, get: (*Gate).freezePage, post: (*Gate).freezePosted, lands: true},
		{pattern: historyPath, get: (*Gate).historyPage, lands: true},
		{pattern: fatiguePath, get: (*Gate).fatiguePage, lands: true},
		{pattern: loginPath, get: func(g *Gate, v *visit) { g.signInPage(v.w, 200, pendingPath, "") }, post: (*Gate).loginPosted, open: true},
		{pattern: oncePath + "{id}", get: (*Gate).oncePage, post: (*Gate).oncePosted, open: true},
		{pattern: passkeysPath, get: (*Gate).passkeysPage, post: (*Gate).passkeysPosted, lands: true},
		{pattern: passkeySignInPath, get: (*Gate).passkeySignInPage, post: (*Gate).passkeySignInPosted, open: true},
		{pattern: browsersPath, get: (*Gate).browsersPage, post: (*Gate).browsersPosted, lands: true},
		{pattern: pushScriptPath, get: (*Gate).pushScript, open: true},
		{pattern: decidePath + "{id}", get: (*Gate).decisionPage, post: (*Gate).linkPosted, open: true},
		{pattern: clickPath + "{id}", post: (*Gate).clickPosted, open: true, signed: true},
		{pattern: providerPath, get: (*Gate).beginTrip, open: true},
		{pattern: backPath, get: (*Gate).endTrip, open: true},
		{pattern: logoutPath, post: (*Gate).logoutPosted, open: true},
	}
}

// The paths that pages link to.
const (
	pendingPath     = "/pending"
	allPath         = "/pending/all"
	rememberedPath  = "/remembered"
	delegationsPath = "/delegations"
	callPath        = "/p/" // followed by the id of a call or a batch
	definitionsPath = "/definitions"
	freezePath      = "/freeze"
	fatiguePath     = "/fatigue"
	loginPath       = "/login"
	logoutPath      = "/logout"
	providerPath    = "/sign-in"
	backPath        = "/sign-in/back"
)

// ServesPage reports whether a path is one of the pages for people.
func ServesPage(path string) bool {
	p, _ := endpointOf(path)
	return p != nil && p.page != nil
}

// handlePage answers a request for one of the pages for people.
func (g *Gate) handlePage(w http.ResponseWriter, r *http.Request, s *sheet, id string) {
	v := &visit{w: w, r: r, id: id}
	switch {
	case r.Method == http.MethodGet && s.get != nil:
		g.handleGet(s, v)
	case r.Method == http.MethodPost && s.post != nil:
		g.handlePost(s, v)
	default:
		allow := []string{}
		if s.get != nil {
			allow = append(allow, http.MethodGet)
		}
		if s.post != nil {
			allow = append(allow, http.MethodPost)
		}
		w.Header().Set("Allow", strings.Join(allow, ", "))
		sendSentence(w, 405, "Not this way", "This page takes "+strings.Join(allow, " and ")+" only.")
	}
}

// handleGet answers a GET request for a page.
func (g *Gate) handleGet(s *sheet, v *visit) {
	if g.admitVisitor(s, v, "") {
		s.get(g, v)
	}
}

// admitVisitor identifies the visitor and reports whether the visitor may open the page.
// If it returns false, it has already answered with an error or with the page for signing
// in. The parameter ended is a text for that page, for example that the session has
// ended.
func (g *Gate) admitVisitor(s *sheet, v *visit, ended string) bool {
	if s.open {
		return true
	}
	var err error
	var refused *tokenError
	switch v.s, v.who, err = g.activeSession(v.r); {
	case errors.As(err, &refused):
		g.refuseToken(v, err)
	case errors.Is(err, errNoSession):
		g.signInPage(v.w, 401, v.r.URL.Path, ended)
	case err != nil:
		sendSentence(v.w, 503, "No answer", "The gate's store does not answer. Nothing was decided or changed; try again.")
	}
	recordPrincipal(v.r.Context(), v.who)
	return err == nil
}

// handlePost answers a POST request for a page. It accepts only plain forms from the
// gate's own pages.
func (g *Gate) handlePost(s *sheet, v *visit) {
	if s.signed {
		s.post(g, v)
		return
	}
	if !g.isOwnForm(v.r) {
		sendSentence(v.w, 403, "Refused", g.foreignReason(v.r))
		return
	}
	f, err := readForm(v.r)
	if err != nil {
		sendSentence(v.w, 400, "Refused", "The form cannot be read.")
		return
	}
	if !g.admitVisitor(s, v, "Your session has ended; nothing was decided or changed.") {
		return
	}
	if !s.open {
		if ok, _ := g.limits.Take(v.who.Tenant+" page "+v.who.Name, g.Now()); !ok {
			sendSentence(v.w, 429, "Too many requests", "Nothing was decided or changed. Wait a little.")
			return
		}
	}
	v.form = f
	s.post(g, v)
}

// foreignReason returns a text that says why a form is refused. If the form came from
// another address, the text names both that address and the gate's own. So an operator
// behind a proxy can see which address the gate considers its own.
func (g *Gate) foreignReason(r *http.Request) string {
	from := r.Header.Get("Origin")
	if u, err := url.Parse(from); err != nil || u.Host == "" || len(from) > 200 || from == g.home.String() {
		return "This form was not sent from the gate's own page."
	}
	return "This form was sent from " + from + ", but this gate's own address is " + g.home.String() +
		". If both addresses lead to this gate, start it with --url and the address that people open."
}

// readForm reads a posted form. It returns an error if the form is larger than maxForm or
// does not have the content type of a plain form.
func readForm(r *http.Request) (url.Values, error) {
	if kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); strings.TrimSpace(kind) != "application/x-www-form-urlencoded" {
		return nil, errors.New("not a form")
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxForm+1))
	if err != nil {
		return nil, err
	}
	if len(body) > maxForm {
		return nil, errors.New("too large a form")
	}
	return url.ParseQuery(string(body))
}

// maxForm is the largest size of a posted form in bytes: a batch of 64 calls with
// digests and a reason.
const maxForm = 64 << 10

// safeNext returns the path p if it is one of the gate's pages to which a visitor may be
// sent after signing in. Otherwise it returns the path of the list.
func safeNext(p string) string {
	if strings.Trim(p, "abcdefghijklmnopqrstuvwxyz0123456789_/") == "" {
		if at, _ := endpointOf(p); at != nil && at.page != nil && at.page.lands {
			return p
		}
	}
	return pendingPath
}

// limitedContext returns the visit's context with the time limit of a page.
func (v *visit) limitedContext() (context.Context, context.CancelFunc) {
	return context.WithTimeout(v.r.Context(), patience)
}
