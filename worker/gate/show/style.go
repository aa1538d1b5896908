package show

// Style is the style sheet of all pages: one column, large targets. The content of a call is shown from left to right
// in the order of its bytes, even if it contains right-to-left letters. Prose keeps its
// own direction, line by line.
const Style = `:root{font:1.0625rem/1.5 system-ui,sans-serif;color-scheme:light dark;--ground:#fff;--text:#1b1c1e;--soft:#585d66;--line:#c9ccd1;--card:#f7f8fa;--link:#0b57b7;
--yes:#14683a;--no:#a3261d;--plain:#44484f;--warn:#8f1d15;--add:#dff3e4;--del:#fbe3e1;--mark:#ffe9a8;--marktext:#4a3500}
@media(prefers-color-scheme:dark){:root{--ground:#15171a;--text:#e8eaed;--soft:#a8aeb8;--line:#3c424b;--card:#1d2024;--link:#8ab8ff;--warn:#ffa198;--add:#12351f;--del:#47201d;--mark:#5a4300;--marktext:#ffe9a8}}
body{margin:0;background:var(--ground);color:var(--text)}main,nav{max-width:46rem;margin:0 auto;padding:0 1rem}
nav{display:flex;flex-wrap:wrap;gap:0 1.1rem;padding-top:.5rem}nav a{padding:.6rem 0}a{color:var(--link)}
h1{font-size:1.35rem;margin:.5rem 0}h2{font-size:1.1rem;margin:.25rem 0;overflow-wrap:anywhere}h3{font-size:1rem;margin:.75rem 0 .25rem}
code,pre{font:.9375rem/1.5 ui-monospace,monospace}h2 code{font-size:1.1rem;font-weight:700}.rows a code{font-weight:700}
code,pre.code,pre.diff,pre.added{direction:ltr;unicode-bidi:bidi-override;overflow-wrap:anywhere}
pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid var(--line);border-radius:.4rem;padding:.6rem .75rem;margin:.3rem 0;background:var(--ground);tab-size:4}
pre span{display:block;padding-left:4ch;text-indent:-4ch}
pre.words{font:inherit}pre.words span{padding:0;text-indent:0;unicode-bidi:plaintext}
pre .add{background:var(--add)}pre .del{background:var(--del)}pre .hunk{color:var(--soft)}
mark{background:var(--mark);color:var(--marktext);border-radius:.2rem}
.card{border:1px solid var(--line);border-radius:.6rem;padding:.75rem;margin:0 0 1rem;background:var(--card);display:block}
dl{margin:.5rem 0}dt{color:var(--soft);font-size:.9375rem;overflow-wrap:anywhere}dd{margin:0 0 .5rem;overflow-wrap:anywhere}
.state{font-weight:600;margin:.25rem 0}.effect{margin:.25rem 0}.size,.vote{color:var(--soft);font-size:.9375rem;margin:.1rem 0}
.warn{border-left:.3rem solid var(--warn);padding-left:.6rem;font-weight:600;color:var(--warn);overflow-wrap:anywhere}
.from{font-size:.9375rem;margin:.1rem 0;direction:ltr;unicode-bidi:bidi-override;overflow-wrap:anywhere}.from:not(.warn){color:var(--soft)}
.agent{border:2px dashed var(--line);border-radius:.4rem;padding:.25rem .75rem;margin:.75rem 0 0}.agent h3{color:var(--soft);margin:.25rem 0}
.rows{list-style:none;padding:0;margin:.5rem 0}.rows li{border:1px solid var(--line);border-radius:.6rem;padding:.6rem .75rem;margin:0 0 .5rem;background:var(--card)}
.rows a{font-weight:600;display:inline-block;padding:.3rem 0}.rows .brief{display:block;overflow-wrap:anywhere}
details{margin:.4rem 0}summary{padding:.5rem 0;cursor:pointer;color:var(--link)}
form{margin:.5rem 0}label{display:block;margin:.5rem 0 .2rem}label.check{display:flex;gap:.6rem;align-items:center;min-height:2.75rem;margin:0}
fieldset{border:1px solid var(--line);border-radius:.4rem;margin:.5rem 0;padding:.25rem .75rem}
textarea{font:.9375rem/1.5 ui-monospace,monospace;tab-size:2}.edit{border-left:.3rem solid var(--link);padding-left:.6rem;margin:.5rem 0}.edit h3{margin-top:0}.edit p{margin:.2rem 0;overflow-wrap:anywhere}
select{font:inherit;min-height:2.75rem;width:100%;border:1px solid var(--soft);border-radius:.4rem;background:var(--ground);color:var(--text)}
textarea,input[type=text],input[type=password]{width:100%;box-sizing:border-box;font:inherit;padding:.7rem;border:1px solid var(--soft);border-radius:.4rem;background:var(--ground);color:var(--text)}
input[type=checkbox],input[type=radio]{width:1.3rem;height:1.3rem;flex:none;margin:0}
button{font:inherit;font-weight:600;min-height:3rem;width:100%;margin:.35rem 0;border:0;border-radius:.4rem;color:#fff;background:var(--plain)}
button.yes{background:var(--yes)}button.no{background:var(--no)}button:disabled{background:#6b7079;color:#fff;opacity:.6}
button:focus-visible,textarea:focus-visible,select:focus-visible,input:focus-visible,a:focus-visible,summary:focus-visible{outline:3px solid #2f7ae5;outline-offset:2px}
@media(min-width:34rem){.both{display:grid;grid-template-columns:1fr 1fr;gap:.75rem;align-items:end}}
`
