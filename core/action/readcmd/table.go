package readcmd

// group holds the rows that come from one source, the documents of a set of commands. A
// row leaves out an option if a document says that it writes a file, runs a program or
// changes a setting. The document may be that of another common implementation.
type group struct {
	source string
	rows   string
}

var table = [...]group{
	{"POSIX.1-2024 utilities; GNU coreutils 9 manual; FreeBSD 14 and macOS section 1", `ls,dir,vdir,pwd,true,false,:,cd,echo,cat,head,tail,wc,cut,tr,nl,tac,rev,fold,fmt,pr,od,hexdump,cmp,comm,join,paste,expand,unexpand,stat,du,df,id,groups,whoami,logname,who,users,tty,basename,dirname,pathchk,realpath,readlink,seq,factor,expr,numfmt,nproc,tsort,printenv,type,which,whereis,whence,diff,column,colrm,look,yes,exa,eza,cal,ncal,locale,strings,jot: *
md5sum,sha1sum,sha224sum,sha256sum,sha384sum,sha512sum,b2sum,cksum,sum,md5,shasum: *
sort: -bdfghiMnrRsuVmczC -k: -t: -S: --reverse --unique --numeric-sort --human-numeric-sort --general-numeric-sort --version-sort --month-sort --random-sort --sort= --stable --ignore-case --ignore-leading-blanks --dictionary-order --zero-terminated --merge --check? --key= --field-separator= --debug --help --version
uniq: @1 -cdDiuz -f: -s: -w: --count --repeated --unique --ignore-case --zero-terminated --skip-fields= --skip-chars= --check-chars= --help --version
uname: @0 -asnrvmpio --all --help --version
hostname: @0 -fiIsAdy --fqdn --short --all-fqdns --all-ip-addresses --ip-address --domain
date: + @1 -uRj -I? -d: -r: --utc --universal --date= --iso-8601? --rfc-3339= --rfc-email --debug --help --version :date
base64,base32: @1 -dDi -w: --decode --ignore-garbage --wrap= --help --version
shuf: @1 -erz -n: -i: --head-count= --input-range= --repeat --zero-terminated
sleep: @1 :number
clear: @0
arch,hostid,uptime,w: @0 -hsfpoui --pretty --since --help --version
pinky: -lbhpsfwiq`},
	{"GNU grep 3 manual; FreeBSD grep(1)", `grep,egrep,fgrep: * -abcEFGHhIiLlnoPpqRrSsTUuVvwxyzZ -# -A: -B: -C: -D: -d: -e: -f: -m: --after-context= --before-context= --context= --basic-regexp --binary --binary-files= --byte-offset --color? --colour? --count --dereference-recursive --devices= --directories= --exclude= --exclude-dir= --exclude-from= --extended-regexp --file= --files-with-matches --files-without-match --fixed-strings --help --ignore-case --no-ignore-case --include= --include-dir= --initial-tab --invert-match --label= --line-buffered --line-number --line-regexp --max-count= --no-filename --no-messages --null --null-data --only-matching --perl-regexp --quiet --silent --recursive --regexp= --text --version --with-filename --word-regexp
zgrep,zegrep,zfgrep: -abcEFHhiLlnoqsvwx -# -A: -B: -C: -e: -m: --color? --ignore-case --count --line-number --invert-match --extended-regexp --fixed-strings --only-matching --word-regexp`},
	{"jq 1.8 manual; yq v4 documentation, mikefarah", `jq: *
yq: -rPCMeNjnv0 -o: -p: -I: --output-format= --input-format= --prettyPrint --no-colors --colors --unwrapScalar? --indent= --exit-status --no-doc --null-input --tojson --raw-output --version
gojq: -rcseSnMCjR --raw-output --compact-output --slurp --null-input --exit-status`},
	{"ripgrep 14 guide and rg(1); ack(1); ag(1); fd(1)", `rg: -abcFHhiIlLnNopPqsSuUvVwx0. -A: -B: -C: -e: -E: -f: -g: -j: -m: -M: -r: -t: -T: -d: --after-context= --before-context= --context= --count --count-matches --color= --colors= --column --no-column --crlf --debug --encoding= --engine= --file= --files --files-with-matches --files-without-match --fixed-strings --follow --glob= --iglob= --glob-case-insensitive --heading --no-heading --hidden --ignore-case --ignore-file= --invert-match --json --line-number --no-line-number --line-regexp --max-columns= --max-columns-preview --max-count= --max-depth= --max-filesize= --multiline --multiline-dotall --no-config --no-filename --with-filename --no-ignore --no-ignore-vcs --no-ignore-parent --no-messages --null --one-file-system --only-matching --passthru --pcre2 --pretty --quiet --regexp= --replace= --case-sensitive --smart-case --sort= --sortr= --stats --text --threads= --trim --type= --type-not= --type-list --unrestricted --version --vimgrep --word-regexp --help
ack: -acfhHilLnovwx -g: -A: -B: -C: -m: --ignore-case --files-with-matches --count --word-regexp --literal --nocolor --nogroup --noheading --heading --column --version
ag: -acFHilLnoQRsSUuvwz0 -G: -A: -B: -C: -g: -m: --ignore-case --literal --files-with-matches --nocolor --nogroup --noheading --nobreak --numbers --column --hidden --ignore= --depth= --stats --version
fd,fdfind: -HIuspLalgiFqV01 -t: -e: -d: -E: -S: -c: -j: --hidden --no-ignore --no-ignore-vcs --unrestricted --case-sensitive --ignore-case --glob --regex --fixed-strings --absolute-path --follow --full-path --print0 --max-depth= --min-depth= --exact-depth= --exclude= --type= --extension= --size= --changed-within= --changed-before= --max-results= --color= --quiet --version --help`},
	{"tree(1) 2.1; file(1) 5.45; less(1) 643; xxd(1); iconv(1), glibc", `man: -kfwa :page
bat,batcat: -npAS -l: -r: -H: --style= --plain --paging= --line-range= --language= --color= --number
tree: / -adflxqNQpugshDFvtcrUCnAiSJX -L: -I: -P: --du --dirsfirst --filesfirst --noreport --charset= --prune --gitignore --ignore-case --matchdirs --filelimit= --si --inodes --device --sort= --timefmt= --version --help
file: -bEhikLNnrsv0 -F: -e: -m: -P: -f: --brief --mime --mime-type --mime-encoding --extension --dereference --no-dereference --no-pad --separator= --keep-going --special-files --raw --print0 --version --help
less: -eEFgiIMmnNqQrRsSXwW --chop-long-lines --LINE-NUMBERS --RAW-CONTROL-CHARS --quit-if-one-screen --no-init --version
xxd: | @1 -abeipuEC -c: -g: -l: -s: -o: -n: ^ps ^len= ^cols= ^skip= ^seek=
iconv: -lcs -f: -t: --from-code= --to-code= --list --silent
bc: -lqsw --mathlib --quiet --version`},
	{"gzip 1.13, bzip2(1), xz(1), zstd(1), unzip(1) and GNU tar 1.35 manuals", `zcat,gzcat: -fqv
bzcat,xzcat,lzcat,zstdcat,lz4cat,zless: -q
gzip,xz,bzip2,zstd: =-ltc -vqd =--list =--test =--stdout =--to-stdout --verbose --decompress :stdout
gunzip,bunzip2,unxz,unzstd: =-ct -vq =--stdout =--to-stdout =--test
unzip: =-lvZtpc -12qhmsz
zipinfo: -12lmshzTv
7z,7za: >
7z l,7z t,7za l,7za t: @1
tar: =-t -vzjJaO -f: --exclude= =--list --verbose --gzip --bzip2 --xz --file= --wildcards :local`},
	{"procps 4, util-linux 2.40, lsof(8) and iproute2 manuals", `ps,free,lscpu,lsblk,pidof,vmstat,lsmod: *
top: =-b -cHiS1 -n: -p: -u: -d: -o: -w?
pgrep: -acflnoivwx -u: -U: -P: -t: -G: -s: -d: --full --list-name --list-full --count --newest --oldest --exact
pstree: -aAcglnpstTu -H: -N: -h
lsof: -abhlnNPtUvVRwX -c: -i? -p: -u: -d: -s? -F? -g?
fuser: -av
findmnt: *
mount: @0 -lv -t:
dmesg: @0 -HkLPrTtuxedS -f: -l: --human --kernel --level= --facility= --ctime --nopager --decode --reltime --color? --time-format= --since= --until=
netstat: -acegilMnNoprstuvxW46 --all --numeric --listening --programs --tcp --udp --route --interfaces
ss: -aAeHilmnoprsStuwxW046bzEO --all --numeric --listening --processes --tcp --udp --summary --extended --info
ip: -46chjopsdN ^br ^brief ^4 ^6 ^o ^c ^j ^d ^s ^color ^json ^details :ip
ifconfig: @1 -a
route: @0 -nev
arp: -aenv
iptables,ip6tables: =-LS -nvxt --line-numbers =--list =--list-rules --numeric --verbose
ping,ping6: @1 =-c: -4nqOv6 -i: -W: -w: -t: -s:
lspci: -vknmDt -s: -d:
lsusb: -vt
lsattr,getfacl,namei,getcap: -aRdlpcmnoxrv
last,lastlog,lastb: -adFiwxR -n: -# -u: -t: -s:
iostat,mpstat: -cdhkmxNtpyA -P:
nvidia-smi: @0 -Lq -i: -d: --list-gpus --query-gpu= --format= --query-compute-apps=
sysctl: -aenNbq :plain
getconf: -a
getent: -i
ulimit: @0 -aHSnuvstfmcdlx
umask: @0 -S
history: @1 :number
jobs: @0 -lprs
alias,times,dirs: @0
hostnamectl,timedatectl,localectl: > @0 --version --no-pager
hostnamectl status,timedatectl status,timedatectl show,localectl status: @0 --no-pager
export,declare,typeset,readonly,shopt: @0 -p
set: @0 -o
trap: @0 -lp
fdisk: =-l
locate,mlocate,plocate: -ceilqrwA0 -n: -l:
lsns,sestatus,getenforce,lsmem,whatis,apropos,modinfo: -aeklnopstvxX
lsb_release: @0 -aidrcs
traceroute: @1 -n46 -m: -w: -q:`},
	{"systemctl(1), journalctl(1), systemd 256; crontab(1)", `systemctl: > -al --all --no-pager --user --system --full =--failed --plain --type= -t: --state= -n: -o: =--version
systemctl status,systemctl show,systemctl cat,systemctl is-active,systemctl is-enabled,systemctl is-failed,systemctl is-system-running,systemctl list-units,systemctl list-unit-files,systemctl list-timers,systemctl list-sockets,systemctl list-dependencies,systemctl list-jobs,systemctl get-default: -alqr --all --no-pager --user --system --full --failed --plain --reverse --quiet --no-legend --type= --state= --property= --value -t: -n: -p: -o: --lines= --output=
journalctl: -abefkqrxm -b? -u: -n? -# -p: -o: -S: -U: -t: -g: --boot? --unit= --user-unit= --user --system --lines? --priority= --output= --since= --until= --no-pager --grep= --reverse --follow --dmesg --list-boots --disk-usage --catalog --identifier= --no-hostname --utc --quiet --all
crontab: @0 =-l -u:`},
	{"dig(1), BIND 9; nslookup(1); host(1); whois(1)", `dig: + -46 -t: -x: -p: -q: -c:
nslookup: ^type= ^query= ^debug ^timeout=
host: -aC46drsvw -t: -W: -R:
whois: -H -h:`},
	{"git 2.47 reference manual, https://git-scm.com/docs", `git: > -P =-v --no-pager --no-optional-locks --literal-pathspecs --glob-pathspecs --no-replace-objects =--version
git log,git diff,git show,git whatchanged,git diff-tree,git diff-index,git diff-files,git rev-list,git stash list,git stash show,git reflog show,git range-diff: -pusgiEFPRabwWztcmrq -# -n: -U? -M? -C? -B? -D? -S: -G: -L: --oneline --graph --all --stat? --shortstat --numstat --dirstat? --summary --name-only --name-status --patch --no-patch --raw --patch-with-stat --patch-with-raw --unified= --compact-summary --decorate? --no-decorate --decorate-refs= --source --branches? --tags? --remotes? --glob= --exclude= --since= --until= --after= --before= --author= --committer= --grep= --all-match --invert-grep --regexp-ignore-case --basic-regexp --extended-regexp --fixed-strings --perl-regexp --max-count= --skip= --merges --no-merges --min-parents= --max-parents= --first-parent --not --reverse --topo-order --date-order --author-date-order --walk-reflogs --follow --full-history --simplify-merges --simplify-by-decoration --ancestry-path? --boundary --left-right --left-only --right-only --cherry --cherry-pick --cherry-mark --merge --date= --relative-date --parents --children --count --pretty? --format= --abbrev-commit --no-abbrev-commit --abbrev? --no-abbrev --encoding= --notes? --no-notes --cached --staged --merge-base --no-index --exit-code --quiet --check --color? --no-color --no-commit-id --color-words? --word-diff? --word-diff-regex= --color-moved? --no-color-moved --minimal --patience --histogram --diff-algorithm= --anchored= --diff-filter= --find-renames? --find-copies? --find-copies-harder --find-object= --no-renames --rename-empty --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-cr-at-eol --ignore-matching-lines= --inter-hunk-context= --function-context --text --binary --full-index --no-prefix --src-prefix= --dst-prefix= --default-prefix --relative? --no-relative --pickaxe-all --pickaxe-regex --no-ext-diff --no-textconv --ignore-submodules? --submodule? --line-prefix= --cc --combined-all-paths --diff-merges= --no-diff-merges  --objects --no-walk? --do-walk --stdin --base --theirs --ours --root --no-mailmap --use-mailmap --mailmap --show-linear-break? --clear-decorations --end-of-options :format
git shortlog: -nsecgi -# -w? -E -F -P --numbered --summary --email --committer --all --no-merges --merges --since= --until= --after= --before= --author= --grep= --group= --format= --branches? --tags? --remotes? --first-parent --regexp-ignore-case --max-count= :format
git cherry,git show-branch,git merge-base: -vartg -n --all --remotes --current --topo-order --date-order --more? --list --merge-base --independent --is-ancestor --fork-point --octopus --no-name --sha1-name --abbrev? --color? --no-color
git status: -sbvz -u? --short --branch --show-stash --porcelain? --long --verbose --untracked-files? --ignore-submodules? --ignored? --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames?
git blame,git annotate: -bcefhlnpstw -L: -S: -C? -M? --root --porcelain --line-porcelain --incremental --encoding= --date= --show-stats --show-name --show-number --show-email --abbrev= --since= --reverse --first-parent --ignore-rev= --ignore-revs-file= --color-lines --color-by-age
git grep: -abcEFGHhiIlLnopPqvwWz -# -e: -f: -A: -B: -C: -m: --cached --no-index --untracked --no-exclude-standard --exclude-standard --recurse-submodules --text --ignore-case --word-regexp --invert-match --extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number --column --files-with-matches --name-only --files-without-match --null --only-matching --count --color? --no-color --break --heading --show-function --context= --after-context= --before-context= --function-context --threads= --max-depth= --max-count= --and --or --not --all-match --quiet --full-name
git rev-parse: -q --verify --quiet --short? --abbrev-ref? --symbolic --symbolic-full-name --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --git-path= --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --show-superproject-working-tree --show-object-format? --all --branches? --tags? --remotes? --not --sq --since= --until= --end-of-options --revs-only --no-revs --flags --no-flags --default= --path-format=
git ls-files: -cdmoistuvzkf -x: -X: --cached --deleted --modified --others --ignored --stage --unmerged --killed --exclude= --exclude-from= --exclude-per-directory= --exclude-standard --error-unmatch --with-tree= --full-name --abbrev? --debug --eol --deduplicate --format= --directory --no-empty-directory --recurse-submodules
git ls-tree: -drtlz --name-only --name-status --object-only --long --full-name --full-tree --abbrev? --format=
git cat-file: -tpse --batch? --batch-check? --batch-all-objects --unordered --allow-unknown-type
git describe: --all --tags --contains --abbrev= --long --always --match= --exclude= --candidates= --exact-match --first-parent --dirty? --broken? --debug
git for-each-ref: --count= --sort= --format= --points-at= --merged? --no-merged? --contains? --no-contains? --ignore-case --color? --exclude= :format
git show-ref: -hdsq --head --heads --branches --tags --dereference --hash? --verify --quiet --abbrev? --exists
git symbolic-ref: @1 -q --quiet --short
git name-rev: --tags --refs= --exclude= --all --name-only --no-undefined --always
git branch: -arvqi --all --remotes --verbose --list --show-current --contains --no-contains --merged --no-merged --points-at --sort= --format= --color? --no-color --column? --no-column --abbrev= --no-abbrev --ignore-case :branch
git tag: -li -n? --list --contains --no-contains --merged --no-merged --points-at --sort= --format= --color? --column? --no-column --ignore-case :branch
git remote: > @0 -v --verbose
git remote get-url: --all --push
git ls-remote: -hbtq --heads --branches --tags --refs --quiet --symref --exit-code --get-url :remote
git remote show: @1 -n :remote
git apply: =--check =--stat =--numstat =--summary -vR --verbose --reverse
git fsck: --full --strict --no-dangling --no-progress --connectivity-only --unreachable
git config: ! -lz --list --get --get-all --get-regexp --get-urlmatch --name-only --show-origin --show-scope --null --global --local --system --worktree --type= --bool --int --path --default= --includes --no-includes :config
git reflog: > @0 -# -n: --all --date= --oneline --pretty? --format? :format
git reflog list: @0
git worktree list: -vz --porcelain --verbose
git check-ignore: -qvnz --quiet --verbose --non-matching --no-index
git check-attr: -az --all --cached
git count-objects: -vH --verbose --human-readable
git var: -l
git version: --build-options
git stash,git worktree,git bisect,git notes: >
git bisect log: @0
git notes list,git notes show: --ref=`},
	{"GitHub CLI 2 manual, https://cli.github.com/manual", `gh: > =--version
gh pr,gh issue,gh repo,gh run,gh release,gh workflow,gh auth,gh search,gh label,gh gist,gh cache,gh secret,gh variable,gh ruleset,gh project,gh extension,gh org,gh config,gh alias: >
gh pr list,gh pr view,gh pr diff,gh pr status,gh pr checks,gh issue list,gh issue view,gh issue status,gh repo view,gh repo list,gh run list,gh run view,gh release list,gh release view,gh workflow list,gh workflow view,gh auth status,gh search prs,gh search issues,gh search repos,gh search code,gh search commits,gh label list,gh gist list,gh gist view,gh cache list,gh secret list,gh variable list,gh ruleset list,gh ruleset view,gh project list,gh project view,gh extension list,gh org list,gh config list,gh config get,gh alias list,gh status: -cvar -R: -L: -q: -s: -A: -S: -l: -B: -H: -j: -b: --repo= --limit= --json= --jq= --template= --state= --author= --assignee= --label= --search= --base= --head= --comments --patch --name-only --color= --log --log-failed --verbose --exit-status --job= --branch= --status= --workflow= --event= --user= --owner= --sort= --order= --language= --draft --required --mention= --milestone= --app= --archived --source --fork --visibility= --topic= --all --yaml --ref= --created= --commit=
gh api: -i -q: -X: -f: -F: --method= --field= --raw-field= --paginate --slurp --include --jq= --template= --silent --verbose --cache= :ghapi
gh version: @0`},
	{"npm 11 documentation, https://docs.npmjs.com; pip 25 documentation", `npm: > -g =--version =-v --global --json --silent -s
npm ls,npm list,npm la,npm ll,npm outdated,npm explain,npm why,npm root,npm prefix,npm search,npm whoami,npm ping,npm query: -agl --all --global --json --long --parseable --depth= --omit= --include= --production --prod --dev --link --workspaces --package-lock-only --no-color
npm view,npm info,npm show: + --json --silent :registry
npm audit: @0 --json --omit= --production --audit-level=
npm config: >
npm run,npm run-script: @0 --json
npm config get,npm config list,npm config ls: -lg --json --global --long
npm pkg: >
npm pkg get: --json
pip,pip3: > =-V =--version -qv --no-cache-dir --no-color --disable-pip-version-check
pip list,pip show,pip freeze,pip check,pip debug,pip3 list,pip3 show,pip3 freeze,pip3 check,pip3 debug: -oulvqf --outdated --uptodate --user --local --not-required --format= --verbose --files --all --exclude= --exclude-editable --path= --pre --disable-pip-version-check
pip config,pip3 config,pip cache,pip3 cache,pip index,pip3 index: >
pip config list,pip config get,pip config debug,pip3 config list,pip3 config get,pip3 config debug,pip cache dir,pip cache info,pip cache list,pip3 cache dir,pip3 cache info,pip3 cache list,pip index versions,pip3 index versions: -v --user --global --site --pre --json`},
	{"go command documentation, https://pkg.go.dev/cmd/go; gofmt", `go: >
go version: ^m ^v
go env: ^json ^changed
go list: ^f= ^json? ^m ^deps ^test ^e ^find ^u ^versions ^retracted ^tags= ^v
go help: @2
go doc: ^all ^src ^short ^u ^c ^cmd
go vet: ^json ^v ^tags= ^c=
go mod: >
go mod graph: @0
go mod why: ^m ^vendor
go mod verify: @0
gofmt: ! -lde -s`},
	{"Docker CLI reference, https://docs.docker.com/reference/cli/docker", `docker,podman: > =-v =--version
docker ps,docker images,docker logs,docker inspect,docker version,docker info,docker stats,docker top,docker port,docker diff,docker history,docker search,docker events,podman ps,podman images,podman logs,podman inspect,podman version,podman info,podman stats,podman top,podman port,podman diff,podman history: -aqstflnwd -n: -f: --all --quiet --no-trunc --size --latest --last= --format= --filter= --digests --follow --tail= --since= --until= --timestamps --details --no-stream --type= --human --limit=
docker container,docker image,docker volume,docker network,docker system,docker context,docker compose,docker node,docker service,docker stack,docker manifest,docker-compose,podman container,podman image,podman volume,podman network,podman system,podman pod: > -f: --file= -p: --project-name=
docker container ls,docker container list,docker container ps,docker container inspect,docker container logs,docker container top,docker container stats,docker container port,docker container diff,docker image ls,docker image list,docker image inspect,docker image history,docker volume ls,docker volume inspect,docker network ls,docker network inspect,docker system df,docker system info,docker context ls,docker context show,docker context inspect,docker node ls,docker node inspect,docker node ps,docker service ls,docker service inspect,docker service ps,docker service logs,docker stack ls,docker stack ps,docker stack services,docker manifest inspect,docker compose config,docker compose ps,docker compose logs,docker compose images,docker compose ls,docker compose version,docker compose top,docker compose port,docker-compose ps,docker-compose logs,docker-compose images,docker-compose version,docker-compose top,docker-compose port,podman container ls,podman container inspect,podman image ls,podman image inspect,podman volume ls,podman volume inspect,podman network ls,podman network inspect,podman pod ps,podman system df: -aqstlnvd -n: --all --quiet --no-trunc --size --format= --filter= --follow --tail= --since= --until= --timestamps --details --no-stream --no-color --no-log-prefix --services --volumes --images --profiles --status= --human --verbose --pretty`},
	{"Kubernetes 1.31 kubectl reference; Helm 3 documentation", `kubectl,oc: > -n: --namespace= --context= --cluster= -A --all-namespaces --request-timeout=
kubectl get,kubectl describe,kubectl logs,kubectl explain,kubectl version,kubectl api-resources,kubectl api-versions,kubectl events,oc get,oc describe,oc logs,oc status,oc whoami,oc projects,oc version: -AwfRpn -n: -o: -l: -L: -c: --namespace= --context= --cluster= --all-namespaces --output= --selector= --field-selector= --show-labels --show-kind --label-columns= --sort-by= --no-headers --watch --watch-only --ignore-not-found --follow --previous --tail= --since= --since-time= --timestamps --container= --all-containers --prefix --max-log-requests= --limit-bytes= --show-events --containers --recursive --api-version= --client --short --namespaced --verbs= --api-group= --request-timeout= --chunk-size= --types= --for=
kubectl cluster-info: @0 --context=
kubectl config,kubectl rollout,kubectl auth,kubectl top,oc config,oc rollout: > -n: --namespace=
kubectl config view,kubectl config get-contexts,kubectl config current-context,kubectl config get-clusters,kubectl config get-users,kubectl rollout status,kubectl rollout history,kubectl auth can-i,kubectl auth whoami,oc rollout status,oc rollout history: -An -n: -o: -w --minify --raw --flatten --namespace= --context= --output= --watch --timeout= --revision= --list --as= --quiet --all-namespaces
kubectl top pod,kubectl top pods,kubectl top po,kubectl top node,kubectl top nodes: -A -l: -n: -A --namespace= --all-namespaces --selector= --containers --sort-by= --no-headers
helm: > -n: --namespace= --kube-context=
helm list,helm ls,helm status,helm history,helm version,helm env: -aAqn -n: -o: -f: -m: --all --all-namespaces --namespace= --output= --short --filter= --max= --revision= --deployed --failed --pending --date --reverse --kube-context= --show-resources
helm show values,helm show chart,helm show readme,helm show all,helm show crds,helm lint: -f: -n: --values= --set= --set-string= --namespace= --version= --repo= --devel --strict
helm get,helm search,helm repo,helm plugin,helm dependency,helm show: > -n: --namespace=
helm get values,helm get manifest,helm get all,helm get notes,helm get hooks,helm get metadata,helm search repo,helm search hub,helm repo list,helm plugin list,helm dependency list: -aln -n: -o: --all --namespace= --output= --revision= --versions --version= --devel --regexp --max-col-width= --kube-context=`},
	{"Terraform CLI documentation, https://developer.hashicorp.com/terraform/cli", `terraform,tofu: > =--version ^no-color
terraform output,terraform version,tofu output,tofu version: ^json ^raw ^no-color
terraform state,terraform workspace,tofu state,tofu workspace: >
terraform state list,terraform workspace list,terraform workspace show,tofu state list,tofu workspace list,tofu workspace show: ^no-color ^id=
terraform providers,tofu providers: @0
terraform fmt,tofu fmt: ! =^check ^diff ^recursive ^no-color`},
	{"Debian apt(8), dpkg(1); rpm(8); dnf(8); pacman(8); apk(8); Homebrew and conda documentation", `apt: > =--version =-v
apt list,apt show,apt search,apt policy,apt depends,apt rdepends: -a --installed --upgradable --manual-installed --all-versions --names-only --full
apt-cache: > -n
apt-cache show,apt-cache search,apt-cache policy,apt-cache depends,apt-cache rdepends,apt-cache madison,apt-cache pkgnames,apt-cache showpkg,apt-cache stats: -nafi --names-only --full --installed --recurse --no-recommends
apt-mark: >
apt-mark showmanual,apt-mark showauto,apt-mark showhold: @9
dpkg: =-lLsSpcI =--list =--listfiles =--status =--search =--print-avail =--get-selections =--print-architecture =--print-foreign-architectures =--audit =--verify =--version =--contents =--info
dpkg-query: =-lLsSpW -f: =--list =--listfiles =--status =--search =--show --showformat=
rpm: =-q -ailfcdRp --all --info --list --file --configfiles --docfiles --requires --provides --whatprovides --whatrequires --changelog --last --scripts --queryformat= --qf= =--query
dnf,yum: > -qvC
dnf list,dnf info,dnf search,dnf repolist,dnf provides,dnf repoquery,dnf check-update,yum list,yum info,yum search,yum repolist,yum provides,yum check-update: -qv --installed --available --updates --all --enabled --disabled --showduplicates
pacman: =-Q -ilokqsetdmuncg --info --list --owns --search --explicit =--query
apk: >
apk info,apk list,apk search,apk version,apk policy: -aevIdsLrRwWq --installed --available --upgradable
brew: > =--version =-v =--prefix =--cellar =--repository
brew list,brew info,brew search,brew deps,brew uses,brew leaves,brew config,brew desc: -1vltr --versions --formula --cask --casks --formulae --full-name --json? --tree --installed --verbose --desc --pinned :registry
snap: >
snap list,snap info,snap find,snap version,snap connections,snap services,snap changes: --all --verbose
conda,mamba: > =--version =-V
conda list,conda info,conda search,mamba list,mamba info,mamba search: -aesnf -n: --json --envs --export --full-name --channels --all
conda env,mamba env: >
conda env list,mamba env list: --json
gem: > =--version =-v
gem list,gem info,gem search,gem environment,gem env,gem contents,gem specification,gem dependency,gem outdated,gem which: -ldarbe --local --remote --all --versions --no-versions --exact --details
rustup,rustup toolchain: >
rustup toolchain list: -v --verbose`},
	{"The Cargo Book 1.90; with --no-deps, cargo metadata neither runs rustc nor fetches", `cargo: > =--version =--help
cargo metadata: =--no-deps --format-version= --offline --locked --frozen --quiet -q`},
	{"Black 25 and Ruff 0.14 documentation; rustfmt --help", `black: =--check =--diff -q -l: --quiet --line-length= --color =--version =--help
ruff: > =--version =--help
ruff format: =--check =--diff -q --quiet
rustfmt: =--check =--version --edition=`},
	{"AWS CLI 2, gcloud and az command references", `aws: > --profile= --region= --output= --query= --no-cli-pager --no-paginate =--version
aws s3: >
aws s3 ls: --recursive --human-readable --summarize --profile= --region= --page-size= --request-payer=
aws configure: >
aws configure list,aws configure list-profiles,aws configure get: --profile=
gcloud: > =-v =--version
gcloud logging: >
gcloud logging read: --limit= --format= --project= --freshness= --order= --bucket= --location= --view=
az: =-v =--version`},
	{"GNU binutils 2.43; OpenSSL 3 manual; xmllint(1); ShellCheck wiki", `nm,size: -aACDgnoprSuvBPlt --demangle --dynamic --extern-only --defined-only --undefined-only --numeric-sort --size-sort --print-size
objdump: -adDfhprsStTxCglwz -M: -j: --disassemble? --syms --headers --all-headers --section= --demangle --no-show-raw-insn --source --reloc --private-headers
readelf: -aAcdegGhIlnrsStuVW -x: -p: --all --headers --file-header --program-headers --sections --section-headers --segments --symbols --syms --dyn-syms --relocs --dynamic --notes --wide --version-info
openssl: >
openssl x509,openssl req,openssl crl: ^in= ^text ^noout ^subject ^issuer ^dates ^startdate ^enddate ^fingerprint ^serial ^sha256 ^sha1 ^inform= ^ext= ^nameopt= ^pubkey ^hash ^email ^checkend= ^modulus ^purpose ^verify
openssl version: -abdfopv
ssh-keygen: @0 =-l -v -f: -E:
ssh-add: @0 =-lL
xmllint: --noout --format --xpath= --nonet --noblanks --recover
shellcheck: -axC -s: -f: -e: -i: -o: -S: -P: --shell= --format= --exclude= --include= --severity= --color?
tokei,cloc: --version`},
	{"macOS 15 manual pages", `sw_vers: ^productName ^productVersion ^buildVersion --productVersion
mdfind,mdls: ^name= ^onlyin= ^count ^raw
defaults,launchctl,diskutil: >
pbpaste: @0
xcode-select: @0 =-p =--print-path
defaults read,defaults read-type,defaults domains,launchctl list,launchctl print,diskutil list,diskutil info: -g
xcodebuild: @0 =^version ^showsdks
system_profiler: ^json ^xml ^detailLevel=`},
	{"the manual page of each: the option prints the version and nothing else", `python,python2,python3,pypy3: @0 =-V =--version =--help
node,nodejs: @1 =-cv =--check =--version =--help
php: @1 =-lv =--version =--help
ruby,perl,lua,nginx: @0 =-v =--version =--help
java,javac,kotlin: @0 =^version =--version
ssh,tmux: @0 =-V
deno,bun,tsc,npx,wget,gcc,g++,cc,c++,clang,clang++,ld,make,gmake,cmake,ninja,sqlite3,mongosh,vim,nvim,emacs,ffmpeg,pandoc,R,julia,ghc,elixir,swift,postgres,protoc,packer,uv,pipx,mypy,isort,nmap,tcpdump,eslint,prettier,gdb,valgrind,strace,rsync,gpg: @0 =--version =--help
psql: =-l =-c: -tAxqXwE -d: -h: -p: -U: -F: =--command= =--list --csv --tuples-only --no-align --expanded --quiet --no-psqlrc --no-password --dbname= --host= --port= --username= =--version =--help :sql
mysql,mariadb: =-e: -NBtsrE -u: -h: -P: -D: -p? =--execute= --user= --host= --port= --database= --password? --batch --table --skip-column-names --silent --raw =--version =--help :sql
rustc: @0 =-V -v =--version =--help`},
}
