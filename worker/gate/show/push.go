package show

// PushScript is the only script of the page of browsers. When the form is sent, it asks the
// person whether the browser may show messages, and sends the browser's subscription. A
// subscription to another key is left first.
const PushScript = `(()=>{const form=document.querySelector("form[data-push]")
const key=Uint8Array.from(atob(form.dataset.push.replace(/-/g,"+").replace(/_/g,"/")),c=>c.charCodeAt(0))
const same=k=>k&&k.byteLength===key.length&&new Uint8Array(k).every((b,i)=>b===key[i])
form.addEventListener("submit",async e=>{e.preventDefault()
const said=form.querySelector("[data-said]")
said.textContent=""
try{if(!("serviceWorker"in navigator&&"PushManager"in window))throw new Error("it has no messages; on a phone, add the page to the home screen first")
if(await Notification.requestPermission()!=="granted")throw new Error("you did not allow messages")
const at=await navigator.serviceWorker.register("/browsers/worker",{scope:"/browsers/worker"})
const made=at.installing||at.waiting
if(!at.active)await new Promise((done,fail)=>made.addEventListener("statechange",()=>made.state==="activated"?done():made.state==="redundant"&&fail(new Error("its worker did not start"))))
const old=await at.pushManager.getSubscription()
if(old&&!same(old.options.applicationServerKey))await old.unsubscribe()
const s=await at.pushManager.subscribe({userVisibleOnly:true,applicationServerKey:key})
form.elements.subscription.value=JSON.stringify(s)
form.submit()}catch(x){said.textContent="This browser was not added: "+x.message}})})()`

// PushWorker is the service worker. It shows each message, and opens a call's page of this
// gate, and no other address, at a click. A message that it cannot read leads to the list.
const PushWorker = `"use strict"
self.addEventListener("install",()=>self.skipWaiting())
self.addEventListener("push",e=>{let m={}
try{m=e.data.json()||{}}catch{}
const text=s=>typeof s==="string"?s:""
const path=/^\/p\/[a-z0-9_]{1,80}$/.test(text(m.path))?m.path:"/pending"
e.waitUntil(self.registration.showNotification(text(m.title)||"A call waits for a decision",{body:text(m.body),tag:path,data:path,requireInteraction:true}))})
self.addEventListener("notificationclick",e=>{e.notification.close()
e.waitUntil(self.clients.openWindow(self.location.origin+e.notification.data))})
`
