//go:build !js

package notify

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/smtp"
	"net/url"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/gate/origin"
)

// letters writes questions to one approver by e-mail. A letter has a link with which this
// approver decides this call once.
type letters struct {
	*mailServer
	tenant, approver, to string
}

// mailServer is the server that takes the letters.
type mailServer struct {
	host, port     string
	implicit       bool // TLS from the first byte
	user, password string
	from           string
	roots          *tls.Config // for tests; nil for the system's
}

// MailUsage describes the words that NewMail accepts.
const MailUsage = "server=smtp://HOST:587 or smtps://HOST:465, from=ADDRESS, tenant=NAME, approver=NAME:ADDRESS (repeated), and perhaps user=NAME"

// NewMail reads the settings of e-mail: words of the form NAME=VALUE. It returns one
// messenger for each approver, so that a letter that fails is written again to nobody else.
func NewMail(words, password string) (all []Messenger, err error) {
	s := &mailServer{password: password}
	tenant, server := "", ""
	var people roll
	err = readWords(words, MailUsage, func(name, value string) (err error) {
		switch name {
		case "server":
			server = value
		case "from":
			s.from, err = readAddress(value)
		case "tenant":
			tenant = value
		case "user":
			s.user = value
		case "approver":
			approver, address, _ := strings.Cut(value, ":")
			if address, err = readAddress(address); err == nil {
				err = people.addPerson(approver + ":" + address)
				all = append(all, &letters{s, "", approver, address})
			}
		default:
			return unknownWord(name, MailUsage)
		}
		return err
	})
	if err == nil && (server == "" || s.from == "" || tenant == "" || len(all) == 0) {
		err = errors.New("want " + MailUsage)
	}
	if err == nil {
		err = s.readServer(server)
	}
	if err != nil {
		return nil, err
	}
	for _, m := range all {
		m.(*letters).tenant = tenant
	}
	return all, nil
}

// readAddress reads a plain e-mail address, without a name.
func readAddress(text string) (string, error) {
	a, err := mail.ParseAddress(text)
	if err != nil || a.Address != text || strings.ContainsAny(text, " \r\n<>") {
		return "", fmt.Errorf("invalid e-mail address %.100q", text)
	}
	return text, nil
}

func (s *mailServer) readServer(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.User != nil || u.Path != "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		return fmt.Errorf("invalid server %.100q: want smtp://HOST:587 or smtps://HOST:465", text)
	}
	s.implicit = u.Scheme == "smtps"
	if s.host, s.port = u.Hostname(), u.Port(); s.port == "" {
		s.port = map[bool]string{true: "465", false: "587"}[s.implicit]
	}
	if (s.user == "") != (s.password == "") {
		return errors.New("want a user and a password, or neither")
	}
	return nil
}

func (l *letters) Tenant() string { return l.tenant }
func (l *letters) Key() string {
	return machine.TextHash("mail\n" + l.tenant + "\n" + l.approver + "\n" + l.to)
}

// Post writes a letter, if the approver may decide the call.
func (l *letters) Post(ctx context.Context, q Question) error {
	if !q.Call.MayDecide(l.approver, q.Now) {
		return nil
	}
	text, err := l.newText(q)
	if err != nil {
		return fmt.Errorf("mail: %w", err)
	}
	if err := l.sendLetter(ctx, l.to, text); err != nil {
		return fmt.Errorf("mail: %w", err)
	}
	return nil
}

// newText returns a letter.
func (l *letters) newText(q Question) ([]byte, error) {
	title := Title(&q.Call, proposal.Escape(q.Call.Tool))
	why, link, about := PageOnly(&q.Call), q.Link, "Decide on the gate's page, after signing in:"
	body := title + ".\n\n"
	if why == "" {
		var err error
		if link, err = q.Once(l.approver); err != nil {
			return nil, err
		}
		about = "Decide with this link. It works once, and for this call only. Opening it decides nothing.\nWho has it can decide, so do not pass this letter on:"
		body += q.Call.Prompt + "\n\n"
	} else {
		body += why + " "
	}
	body += about + "\n" + link + "\n"
	var b bytes.Buffer
	subject := title
	if len(subject) > 150 {
		subject = strings.ToValidUTF8(subject[:150], "") + "…"
	}
	fmt.Fprintf(&b, "From: <%s>\r\nTo: <%s>\r\nSubject: %s\r\nDate: %s\r\nMessage-ID: <%s.%s>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n"+
		"Content-Transfer-Encoding: quoted-printable\r\nAuto-Submitted: auto-generated\r\n\r\n",
		l.from, l.to, mime.QEncoding.Encode("utf-8", subject), time.UnixMilli(q.Call.Created).UTC().Format(time.RFC1123Z), q.Call.ID, l.from)
	w := quotedprintable.NewWriter(&b)
	w.Write([]byte(strings.ReplaceAll(body, "\n", "\r\n")))
	return b.Bytes(), w.Close()
}

// sendLetter gives a letter to the server. It ends with the context, whatever the server does.
func (s *mailServer) sendLetter(ctx context.Context, to string, text []byte) (err error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", net.JoinHostPort(s.host, s.port))
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	if deadline, ok := ctx.Deadline(); ok {
		conn.SetDeadline(deadline)
	}
	settings := &tls.Config{ServerName: s.host, MinVersion: tls.VersionTLS12}
	if s.roots != nil {
		settings.RootCAs = s.roots.RootCAs
	}
	if s.implicit {
		conn = tls.Client(conn, settings)
	}
	c, err := smtp.NewClient(conn, s.host)
	if err != nil {
		return err
	}
	if !s.implicit {
		if has, _ := c.Extension("STARTTLS"); has {
			err = c.StartTLS(settings)
		} else if !origin.Loopback(s.host) {
			err = errors.New("the server has no TLS, and nothing was sent to it")
		}
	}
	if err == nil && s.user != "" {
		err = c.Auth(smtp.PlainAuth("", s.user, s.password, s.host))
	}
	if err == nil {
		err = c.Mail(s.from)
	}
	if err == nil {
		err = c.Rcpt(to)
	}
	if err != nil {
		return err
	}
	w, err := c.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	if err := w.Close(); err != nil { // the server has taken the letter
		return err
	}
	c.Quit()
	return nil
}
