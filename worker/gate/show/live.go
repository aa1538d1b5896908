package show

import (
	"crypto/sha256"
	"encoding/base64"
)

// LiveScript is the only script of most pages. Every few seconds it requests the page
// again and replaces the parts that have changed, so that a person's input and reading
// position stay. It also disables the buttons of a form when its time is over. The pages
// also work without the script, if a person reloads them.
//
// The script is part of the page, and the policy contains its hash: no other script
// runs. The alternative without a script, a refresh by the browser, would delete a
// person's input and lose the reading position.
const LiveScript = `(()=>{const start=performance.now(),every=4000
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

// PasskeyScript is the only script of the pages of passkeys. When the form is sent, it asks
// the browser for what the form's options want, and sends the browser's answer instead.
const PasskeyScript = `(()=>{const form=document.querySelector("form[data-passkey]")
const bytes=s=>Uint8Array.from(atob(s.replace(/-/g,"+").replace(/_/g,"/")),c=>c.charCodeAt(0))
const text=b=>btoa(String.fromCharCode(...new Uint8Array(b))).replace(/\+/g,"-").replace(/\//g,"_").replace(/=/g,"")
const options=JSON.parse(form.dataset.passkey)
for(const part of[options,options.user,...options.excludeCredentials??[]])for(const name of["challenge","id"])if(part?.[name])part[name]=bytes(part[name])
form.addEventListener("submit",async e=>{e.preventDefault()
const said=form.querySelector("[data-said]")
said.textContent=""
try{const c=await navigator.credentials[options.user?"create":"get"]({publicKey:options})
const response={}
for(const name of["clientDataJSON","attestationObject","authenticatorData","signature","userHandle"])if(c.response[name])response[name]=text(c.response[name])
form.elements.answer.value=JSON.stringify({id:c.id,rawId:text(c.rawId),type:c.type,response,clientExtensionResults:c.getClientExtensionResults()})
form.submit()}catch(x){said.textContent="The browser gave no passkey: "+x.message}})})()`

// HashOf returns the hash of a script in the form of a script source for a
// Content-Security-Policy. A page with only this source runs no other script.
func HashOf(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
