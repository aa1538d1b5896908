package store

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// login is what docker keeps for a registry. The zero value is none.
type login struct {
	Username, Password string
	IdentityToken      string // stands for both
	Auth               string // base64 of USERNAME:PASSWORD
}

func (l login) basicHeader() string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(l.Username+":"+l.Password))
}

// dockerLogin returns the login that docker login keeps for a registry, in its file or with a helper.
func dockerLogin(ctx context.Context, host string) (login, error) {
	dir := os.Getenv("DOCKER_CONFIG")
	if home, err := os.UserHomeDir(); dir == "" && err == nil {
		dir = filepath.Join(home, ".docker")
	}
	text, err := os.ReadFile(filepath.Join(dir, "config.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return login{}, nil
	}
	var config struct {
		Auths       map[string]login
		CredHelpers map[string]string
		CredsStore  string
	}
	if err == nil {
		err = json.Unmarshal(text, &config)
	}
	if err != nil {
		return login{}, fmt.Errorf("cannot read the logins of docker: %w", err)
	}
	server := host
	if host == "docker.io" || host == "registry-1.docker.io" {
		server = "https://index.docker.io/v1/"
	}
	helper, named := config.CredHelpers[server]
	if !named {
		helper = config.CredsStore
	}
	if helper != "" {
		return askHelper(ctx, helper, server)
	}
	own, found := config.Auths[server]
	for address, l := range config.Auths { // older files have the address of the API
		_, bare, has := strings.Cut(address, "://")
		if bare, _, _ = strings.Cut(bare, "/"); !found && has && bare == server {
			own = l
		}
	}
	if own.Auth != "" {
		plain, err := base64.StdEncoding.DecodeString(own.Auth)
		name, password, ok := strings.Cut(string(plain), ":")
		if err != nil || !ok {
			return login{}, fmt.Errorf("docker's login for %s is not base64 of a name and a password", host)
		}
		own.Username, own.Password = name, strings.TrimRight(password, "\x00")
	}
	return own, nil
}

// askHelper asks the program with which docker keeps logins.
func askHelper(ctx context.Context, helper, server string) (login, error) {
	command := exec.CommandContext(ctx, "docker-credential-"+helper, "get")
	command.Stdin = strings.NewReader(server)
	text, err := command.Output()
	if err != nil && bytes.Contains(text, []byte("credentials not found")) {
		return login{}, nil
	}
	var said struct{ Username, Secret string }
	if err == nil {
		err = json.Unmarshal(text, &said)
	}
	if err != nil {
		return login{}, fmt.Errorf("docker-credential-%s: %w", helper, err)
	}
	if said.Username == "<token>" {
		return login{IdentityToken: said.Secret}, nil
	}
	return login{Username: said.Username, Password: said.Secret}, nil
}
