package gate

import (
	"crypto/sha256"
	"encoding/base64"
)

// liveScript is the one script of the pages. It asks for the page again every few
// seconds and puts in what has changed, so that nothing that a person types or reads
// is lost, and it takes the buttons of a form away when its time is over. Without
// scripts the pages work as they do with it, by being loaded again.
//
// It is in the page itself, and the policy names its hash: no other script
// runs, wherever it comes from. The alternative without a script, a refresh by the
// browser, throws away what is being typed and moves the reader's place.
const liveScript = `(()=>{const start=performance.now(),every=4000
const over=()=>{for(const f of document.querySelectorAll("[data-left]"))if(performance.now()-start>f.dataset.left)for(const b of f.querySelectorAll("button"))b.disabled=true}
const look=async()=>{over()
if(document.hidden)return
try{const r=await fetch(location.href,{headers:{Accept:"text/html"}})
if(r.status===401)return location.reload()
if(!r.ok)return
const page=new DOMParser().parseFromString(await r.text(),"text/html")
document.title=page.title
for(const old of document.querySelectorAll("[data-live]")){const now=[...page.querySelectorAll("[data-live]")].find(e=>e.dataset.live===old.dataset.live)
if(now&&now.dataset.v!==old.dataset.v)old.replaceWith(document.importNode(now,true))}}catch{}}
setInterval(look,every)
document.addEventListener("visibilitychange",look)})()`

// liveHash is what the policy of a page names to let the script run.
func liveHash() string {
	sum := sha256.Sum256([]byte(liveScript))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
