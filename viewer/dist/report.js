"use strict";(()=>{var o0=["#0072b2","#d55e00","#009e73","#cc79a7","#e69f00","#56b4e9","#7f7f7f"],a0=["#56b4e9","#ff8a3d","#2fc79a","#e29cc4","#f2c14e","#4c8fd6","#b0b0b0"];function Ch(){return document.documentElement.dataset.theme==="dark"}function Ah(i){document.documentElement.dataset.theme=i?"dark":"light",Rh=null;for(let t of nf)t()}var tf=!1;function Ph(){tf=!0,Ah(!Ch())}function ef(){let i=matchMedia("(prefers-color-scheme: dark)");Ah(i.matches),i.addEventListener("change",()=>{tf||Ah(i.matches)})}var Rh=null;function Ne(){return Rh??=l0(),Rh}function l0(){let i=getComputedStyle(document.documentElement),t=e=>i.getPropertyValue(e).trim();return{dark:Ch(),ink:t("--ink"),muted:t("--muted"),line:t("--line"),grid:t("--grid"),panel:t("--panel"),model:t("--model"),truth:t("--truth"),accent:t("--accent")}}function gi(i){let t=Ch()?a0:o0;return t[i%t.length]??"#888888"}var Zn=gi;function De(i,t){let e=i.replace("#",""),n=s=>parseInt(e.slice(s,s+2),16);return`rgba(${n(0)}, ${n(2)}, ${n(4)}, ${t})`}var nf=[];function qi(i){nf.push(i)}var c0="uplot",h0="u-hz",u0="u-vt",d0="u-title",f0="u-wrap",p0="u-under",m0="u-over",g0="u-axis",ir="u-off",_0="u-select",x0="u-cursor-x",v0="u-cursor-y",y0="u-cursor-pt",b0="u-legend",S0="u-live",M0="u-inline",w0="u-series",T0="u-marker",sf="u-label",E0="u-value",Oo="width",Bo="height";var rf="bottom",Lr="left",Ih="right",$h="#000",of=$h+"0",Lh="mousemove",af="mousedown",Nh="mouseup",lf="mouseenter",cf="mouseleave",hf="dblclick",A0="resize",R0="scroll",uf="change",Ka="dppxchange",Zh="--",kr=typeof window<"u",Bh=kr?document:null,Dr=kr?window:null,C0=kr?navigator:null,we,Ya;function kh(){let i=devicePixelRatio;we!=i&&(we=i,Ya&&Vh(uf,Ya,kh),Ya=matchMedia(`(min-resolution: ${we-.001}dppx) and (max-resolution: ${we+.001}dppx)`),sr(uf,Ya,kh),Dr.dispatchEvent(new CustomEvent(Ka)))}function si(i,t){if(t!=null){let e=i.classList;!e.contains(t)&&e.add(t)}}function zh(i,t){let e=i.classList;e.contains(t)&&e.remove(t)}function He(i,t,e){i.style[t]=e+"px"}function Ei(i,t,e,n){let s=Bh.createElement(i);return t!=null&&si(s,t),e?.insertBefore(s,n),s}function _i(i,t){return Ei("div",i,t)}var df=new WeakMap;function Yi(i,t,e,n,s){let r="translate("+t+"px,"+e+"px)",o=df.get(i);r!=o&&(i.style.transform=r,df.set(i,r),t<0||e<0||t>n||e>s?si(i,ir):zh(i,ir))}var ff=new WeakMap;function pf(i,t,e){let n=t+e,s=ff.get(i);n!=s&&(ff.set(i,n),i.style.background=t,i.style.borderColor=e)}var mf=new WeakMap;function gf(i,t,e,n){let s=t+""+e,r=mf.get(i);s!=r&&(mf.set(i,s),i.style.height=e+"px",i.style.width=t+"px",i.style.marginLeft=n?-t/2+"px":0,i.style.marginTop=n?-e/2+"px":0)}var Jh={passive:!0},P0={...Jh,capture:!0};function sr(i,t,e,n){t.addEventListener(i,e,n?P0:Jh)}function Vh(i,t,e,n){t.removeEventListener(i,e,Jh)}kr&&kh();function Ai(i,t,e,n){let s;e=e||0,n=n||t.length-1;let r=n<=2147483647;for(;n-e>1;)s=r?e+n>>1:ri((e+n)/2),t[s]<i?e=s:n=s;return i-t[e]<=t[n]-i?e:n}function Wf(i){return(e,n,s)=>{let r=-1,o=-1;for(let a=n;a<=s;a++)if(i(e[a])){r=a;break}for(let a=s;a>=n;a--)if(i(e[a])){o=a;break}return[r,o]}}var Xf=i=>i!=null,qf=i=>i!=null&&i>0,tl=Wf(Xf),I0=Wf(qf);function L0(i,t,e,n=0,s=!1){let r=s?I0:tl,o=s?qf:Xf;[t,e]=r(i,t,e);let a=i[t],c=i[t];if(t>-1)if(n==1)a=i[t],c=i[e];else if(n==-1)a=i[e],c=i[t];else for(let l=t;l<=e;l++){let u=i[l];o(u)&&(u<a?a=u:u>c&&(c=u))}return[a??Fe,c??-Fe]}function el(i,t,e,n){let s=vf(i),r=vf(t);i==t&&(s==-1?(i*=e,t/=e):(i/=e,t*=e));let o=e==10?as:Yf,a=s==1?ri:xi,c=r==1?xi:ri,l=a(o(mn(i))),u=c(o(mn(t))),d=Ur(e,l),h=Ur(e,u);return e==10&&(l<0&&(d=Oe(d,-l)),u<0&&(h=Oe(h,-u))),n||e==2?(i=d*s,t=h*r):(i=Kf(i,d),t=nl(t,h)),[i,t]}function Kh(i,t,e,n){let s=el(i,t,e,n);return i==0&&(s[0]=0),t==0&&(s[1]=0),s}var jh=.1,_f={mode:3,pad:jh},zo={pad:0,soft:null,mode:0},N0={min:zo,max:zo};function ja(i,t,e,n){return il(e)?xf(i,t,e):(zo.pad=e,zo.soft=n?0:null,zo.mode=n?3:0,xf(i,t,N0))}function be(i,t){return i??t}function D0(i,t,e){for(t=be(t,0),e=be(e,i.length-1);t<=e;){if(i[t]!=null)return!0;t++}return!1}function xf(i,t,e){let n=e.min,s=e.max,r=be(n.pad,0),o=be(s.pad,0),a=be(n.hard,-Fe),c=be(s.hard,Fe),l=be(n.soft,Fe),u=be(s.soft,-Fe),d=be(n.mode,0),h=be(s.mode,0),f=t-i,p=as(f),v=Vn(mn(i),mn(t)),m=as(v),g=mn(m-p);(f<1e-24||g>10)&&(f=0,(i==0||t==0)&&(f=1e-24,d==2&&l!=Fe&&(r=0),h==2&&u!=-Fe&&(o=0)));let y=f||v||1e3,A=as(y),w=Ur(10,ri(A)),P=y*(f==0?i==0?.1:1:r),E=Oe(Kf(i-P,w/10),24),x=i>=l&&(d==1||d==3&&E<=l||d==2&&E>=l)?l:Fe,T=Vn(a,E<x&&i>=x?x:Ri(x,E)),k=y*(f==0?t==0?.1:1:o),U=Oe(nl(t+k,w/10),24),N=t<=u&&(h==1||h==3&&U>=u||h==2&&U<=u)?u:-Fe,z=Ri(c,U>N&&t<=N?N:Vn(N,U));return T==z&&T==0&&(z=100),[T,z]}var U0=new Intl.NumberFormat(kr?C0.language:"en-US"),Qh=i=>U0.format(i),oi=Math,Ja=oi.PI,mn=oi.abs,ri=oi.floor,pn=oi.round,xi=oi.ceil,Ri=oi.min,Vn=oi.max,Ur=oi.pow,vf=oi.sign,as=oi.log10,Yf=oi.log2,F0=(i,t=1)=>oi.sinh(i)*t,Dh=(i,t=1)=>oi.asinh(i/t),Fe=1/0;function yf(i){return(as((i^i>>31)-(i>>31))|0)+1}function Gh(i,t,e){return Ri(Vn(i,t),e)}function $f(i){return typeof i=="function"}function _e(i){return $f(i)?i:()=>i}var O0=()=>{},Zf=i=>i,Jf=(i,t)=>t,B0=i=>null,bf=i=>!0,Sf=(i,t)=>i==t,k0=/\.\d*?(?=9{6,}|0{6,})/gm,rr=i=>{if(Qf(i)||Ls.has(i))return i;let t=`${i}`,e=t.match(k0);if(e==null)return i;let n=e[0].length-1;if(t.indexOf("e-")!=-1){let[s,r]=t.split("e");return+`${rr(s)}e${r}`}return Oe(i,n)};function er(i,t){return rr(Oe(rr(i/t))*t)}function nl(i,t){return rr(xi(rr(i/t))*t)}function Kf(i,t){return rr(ri(rr(i/t))*t)}function Oe(i,t=0){if(Qf(i))return i;let e=10**t,n=i*e*(1+Number.EPSILON);return pn(n)/e}var Ls=new Map;function jf(i){return((""+i).split(".")[1]||"").length}function Go(i,t,e,n){let s=[],r=n.map(jf);for(let o=t;o<e;o++){let a=mn(o),c=Oe(Ur(i,o),a);for(let l=0;l<n.length;l++){let u=i==10?+`${n[l]}e${o}`:n[l]*c,d=(o>=0?0:a)+(o>=r[l]?0:r[l]),h=i==10?u:Oe(u,d);s.push(h),Ls.set(h,d)}}return s}var Vo={},tu=[],Fr=[null,null],Is=Array.isArray,Qf=Number.isInteger,z0=i=>i===void 0;function Mf(i){return typeof i=="string"}function il(i){let t=!1;if(i!=null){let e=i.constructor;t=e==null||e==Object}return t}function V0(i){return i!=null&&typeof i=="object"}var G0=Object.getPrototypeOf(Uint8Array),tp="__proto__";function Or(i,t=il){let e;if(Is(i)){let n=i.find(s=>s!=null);if(Is(n)||t(n)){e=Array(i.length);for(let s=0;s<i.length;s++)e[s]=Or(i[s],t)}else e=i.slice()}else if(i instanceof G0)e=i.slice();else if(t(i)){e={};for(let n in i)n!=tp&&(e[n]=Or(i[n],t))}else e=i;return e}function hn(i){let t=arguments;for(let e=1;e<t.length;e++){let n=t[e];for(let s in n)s!=tp&&(il(i[s])?hn(i[s],Or(n[s])):i[s]=Or(n[s]))}return i}var H0=0,W0=1,X0=2;function q0(i,t,e){for(let n=0,s,r=-1;n<t.length;n++){let o=t[n];if(o>r){for(s=o-1;s>=0&&i[s]==null;)i[s--]=null;for(s=o+1;s<e&&i[s]==null;)i[r=s++]=null}}}function Y0(i,t){if(J0(i)){let o=i[0].slice();for(let a=1;a<i.length;a++)o.push(...i[a].slice(1));return K0(o[0])||(o=Z0(o)),o}let e=new Set;for(let o=0;o<i.length;o++){let c=i[o][0],l=c.length;for(let u=0;u<l;u++)e.add(c[u])}let n=[Array.from(e).sort((o,a)=>o-a)],s=n[0].length,r=new Map;for(let o=0;o<s;o++)r.set(n[0][o],o);for(let o=0;o<i.length;o++){let a=i[o],c=a[0];for(let l=1;l<a.length;l++){let u=a[l],d=Array(s).fill(void 0),h=t?t[o][l]:W0,f=[];for(let p=0;p<u.length;p++){let v=u[p],m=r.get(c[p]);v===null?h!=H0&&(d[m]=v,h==X0&&f.push(m)):d[m]=v}q0(d,f,s),n.push(d)}}return n}var $0=typeof queueMicrotask>"u"?i=>Promise.resolve().then(i):queueMicrotask;function Z0(i){let t=i[0],e=t.length,n=Array(e);for(let r=0;r<n.length;r++)n[r]=r;n.sort((r,o)=>t[r]-t[o]);let s=[];for(let r=0;r<i.length;r++){let o=i[r],a=Array(e);for(let c=0;c<e;c++)a[c]=o[n[c]];s.push(a)}return s}function J0(i){let t=i[0][0],e=t.length;for(let n=1;n<i.length;n++){let s=i[n][0];if(s.length!=e)return!1;if(s!=t){for(let r=0;r<e;r++)if(s[r]!=t[r])return!1}}return!0}function K0(i,t=100){let e=i.length;if(e<=1)return!0;let n=0,s=e-1;for(;n<=s&&i[n]==null;)n++;for(;s>=n&&i[s]==null;)s--;if(s<=n)return!0;let r=Vn(1,ri((s-n+1)/t));for(let o=i[n],a=n+r;a<=s;a+=r){let c=i[a];if(c!=null){if(c<=o)return!1;o=c}}return!0}var ep=["January","February","March","April","May","June","July","August","September","October","November","December"],np=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function ip(i){return i.slice(0,3)}var j0=np.map(ip),Q0=ep.map(ip),t_={MMMM:ep,MMM:Q0,WWWW:np,WWW:j0};function Fo(i){return(i<10?"0":"")+i}function e_(i){return(i<10?"00":i<100?"0":"")+i}var n_={YYYY:i=>i.getFullYear(),YY:i=>(i.getFullYear()+"").slice(2),MMMM:(i,t)=>t.MMMM[i.getMonth()],MMM:(i,t)=>t.MMM[i.getMonth()],MM:i=>Fo(i.getMonth()+1),M:i=>i.getMonth()+1,DD:i=>Fo(i.getDate()),D:i=>i.getDate(),WWWW:(i,t)=>t.WWWW[i.getDay()],WWW:(i,t)=>t.WWW[i.getDay()],HH:i=>Fo(i.getHours()),H:i=>i.getHours(),h:i=>{let t=i.getHours();return t==0?12:t>12?t-12:t},AA:i=>i.getHours()>=12?"PM":"AM",aa:i=>i.getHours()>=12?"pm":"am",a:i=>i.getHours()>=12?"p":"a",mm:i=>Fo(i.getMinutes()),m:i=>i.getMinutes(),ss:i=>Fo(i.getSeconds()),s:i=>i.getSeconds(),fff:i=>e_(i.getMilliseconds())};function eu(i,t){t=t||t_;let e=[],n=/\{([a-z]+)\}|[^{]+/gi,s;for(;s=n.exec(i);)e.push(s[0][0]=="{"?n_[s[1]]:s[0]);return r=>{let o="";for(let a=0;a<e.length;a++)o+=typeof e[a]=="string"?e[a]:e[a](r,t);return o}}var i_=new Intl.DateTimeFormat().resolvedOptions().timeZone;function s_(i,t){let e;return t=="UTC"||t=="Etc/UTC"?e=new Date(+i+i.getTimezoneOffset()*6e4):t==i_?e=i:(e=new Date(i.toLocaleString("en-US",{timeZone:t})),e.setMilliseconds(i.getMilliseconds())),e}var sp=i=>i%1==0,Qa=[1,2,2.5,5],r_=Go(10,-32,0,Qa),rp=Go(10,0,32,Qa),o_=rp.filter(sp),nr=r_.concat(rp),nu=`
`,op="{YYYY}",wf=nu+op,ap="{M}/{D}",ko=nu+ap,$a=ko+"/{YY}",lp="{aa}",a_="{h}:{mm}",Nr=a_+lp,Tf=nu+Nr,Ef=":{ss}",Ee=null;function cp(i){let t=i*1e3,e=t*60,n=e*60,s=n*24,r=s*30,o=s*365,c=(i==1?Go(10,0,3,Qa).filter(sp):Go(10,-3,0,Qa)).concat([t,t*5,t*10,t*15,t*30,e,e*5,e*10,e*15,e*30,n,n*2,n*3,n*4,n*6,n*8,n*12,s,s*2,s*3,s*4,s*5,s*6,s*7,s*8,s*9,s*10,s*15,r,r*2,r*3,r*4,r*6,o,o*2,o*5,o*10,o*25,o*50,o*100]),l=[[o,op,Ee,Ee,Ee,Ee,Ee,Ee,1],[s*28,"{MMM}",wf,Ee,Ee,Ee,Ee,Ee,1],[s,ap,wf,Ee,Ee,Ee,Ee,Ee,1],[n,"{h}"+lp,$a,Ee,ko,Ee,Ee,Ee,1],[e,Nr,$a,Ee,ko,Ee,Ee,Ee,1],[t,Ef,$a+" "+Nr,Ee,ko+" "+Nr,Ee,Tf,Ee,1],[i,Ef+".{fff}",$a+" "+Nr,Ee,ko+" "+Nr,Ee,Tf,Ee,1]];function u(d){return(h,f,p,v,m,g)=>{let y=[],A=m>=o,w=m>=r&&m<o,P=d(p),E=Oe(P*i,3),x=Uh(P.getFullYear(),A?0:P.getMonth(),w||A?1:P.getDate()),T=Oe(x*i,3);if(w||A){let k=w?m/r:0,U=A?m/o:0,N=E==T?E:Oe(Uh(x.getFullYear()+U,x.getMonth()+k,1)*i,3),z=new Date(pn(N/i)),H=z.getFullYear(),L=z.getMonth();for(let W=0;N<=v;W++){let $=Uh(H+U*W,L+k*W,1),G=$-d(Oe($*i,3));N=Oe((+$+G)*i,3),N<=v&&y.push(N)}}else{let k=m>=s?s:m,U=ri(p)-ri(E),N=T+U+nl(E-T,k);y.push(N);let z=d(N),H=z.getHours()+z.getMinutes()/e+z.getSeconds()/n,L=m/n,W=h.axes[f]._space,$=g/W;for(;N=Oe(N+m,i==1?0:3),!(N>v);)if(L>1){let G=ri(Oe(H+L,6))%24,Q=d(N).getHours()-G;Q>1&&(Q=-1),N-=Q*n,H=(H+L)%24;let st=y[y.length-1];Oe((N-st)/m,3)*$>=.7&&y.push(N)}else y.push(N)}return y}}return[c,l,u]}var[l_,c_,h_]=cp(1),[u_,d_,f_]=cp(.001);Go(2,-53,53,[1]);function Af(i,t){return i.map(e=>e.map((n,s)=>s==0||s==8||n==null?n:t(s==1||e[8]==0?n:e[1]+n)))}function Rf(i,t){return(e,n,s,r,o)=>{let a=t.find(p=>o>=p[0])||t[t.length-1],c,l,u,d,h,f;return n.map(p=>{let v=i(p),m=v.getFullYear(),g=v.getMonth(),y=v.getDate(),A=v.getHours(),w=v.getMinutes(),P=v.getSeconds(),E=m!=c&&a[2]||g!=l&&a[3]||y!=u&&a[4]||A!=d&&a[5]||w!=h&&a[6]||P!=f&&a[7]||a[1];return c=m,l=g,u=y,d=A,h=w,f=P,E(v)})}}function p_(i,t){let e=eu(t);return(n,s,r,o,a)=>s.map(c=>e(i(c)))}function Uh(i,t,e){return new Date(i,t,e)}function Cf(i,t){return t(i)}var m_="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function Pf(i,t){return(e,n,s,r)=>r==null?Zh:t(i(n))}function g_(i,t){let e=i.series[t];return e.width?e.stroke(i,t):e.points.width?e.points.stroke(i,t):null}function __(i,t){return i.series[t].fill(i,t)}var x_={show:!0,live:!0,isolate:!1,mount:O0,markers:{show:!0,width:2,stroke:g_,fill:__,dash:"solid"},idx:null,idxs:null,values:[]};function v_(i,t){let e=i.cursor.points,n=_i(),s=e.size(i,t);He(n,Oo,s),He(n,Bo,s);let r=s/-2;He(n,"marginLeft",r),He(n,"marginTop",r);let o=e.width(i,t,s);return o&&He(n,"borderWidth",o),n}function y_(i,t){let e=i.series[t].points;return e._fill||e._stroke}function b_(i,t){let e=i.series[t].points;return e._stroke||e._fill}function S_(i,t){return i.series[t].points.size}var Fh=[0,0];function M_(i,t,e){return Fh[0]=t,Fh[1]=e,Fh}function Za(i,t,e,n=!0){return s=>{s.button==0&&(!n||s.target==t)&&e(s)}}function Oh(i,t,e,n=!0){return s=>{(!n||s.target==t)&&e(s)}}var w_={show:!0,x:!0,y:!0,lock:!1,move:M_,points:{one:!1,show:v_,size:S_,width:0,stroke:b_,fill:y_},bind:{mousedown:Za,mouseup:Za,click:Za,dblclick:Za,mousemove:Oh,mouseleave:Oh,mouseenter:Oh},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(i,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(i,t,e,n,s)=>n-s,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},hp={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},iu=hn({},hp,{filter:Jf}),up=hn({},iu,{size:10}),dp=hn({},hp,{show:!1}),su='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',fp="bold "+su,pp=1.5,If={show:!0,scale:"x",stroke:$h,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:fp,side:2,grid:iu,ticks:up,border:dp,font:su,lineGap:pp,rotate:0},T_="Value",E_="Time",Lf={show:!0,scale:"x",auto:!1,sorted:1,min:Fe,max:-Fe,idxs:[]};function A_(i,t,e,n,s){return t.map(r=>r==null?"":Qh(r))}function R_(i,t,e,n,s,r,o){let a=[],c=Ls.get(s)||0;e=o?e:Oe(nl(e,s),c);for(let l=e;l<=n;l=Oe(l+s,c))a.push(Object.is(l,-0)?0:l);return a}function Hh(i,t,e,n,s,r,o){let a=[],c=i.scales[i.axes[t].scale].log,l=c==10?as:Yf,u=ri(l(e));s=Ur(c,u),c==10&&(s=nr[Ai(s,nr)]);let d=e,h=s*c;c==10&&(h=nr[Ai(h,nr)]);do a.push(d),d=d+s,c==10&&!Ls.has(d)&&(d=Oe(d,Ls.get(s))),d>=h&&(s=d,h=s*c,c==10&&(h=nr[Ai(h,nr)]));while(d<=n);return a}function C_(i,t,e,n,s,r,o){let c=i.scales[i.axes[t].scale].asinh,l=n>c?Hh(i,t,Vn(c,e),n,s):[c],u=n>=0&&e<=0?[0]:[];return(e<-c?Hh(i,t,Vn(c,-n),-e,s):[c]).reverse().map(h=>-h).concat(u,l)}var mp=/./,P_=/[12357]/,I_=/[125]/,Nf=/1/,Wh=(i,t,e,n)=>i.map((s,r)=>t==4&&s==0||r%n==0&&e.test(s.toExponential()[s<0?1:0])?s:null);function L_(i,t,e,n,s){let r=i.axes[e],o=r.scale,a=i.scales[o],c=i.valToPos,l=r._space,u=c(10,o),d=c(9,o)-u>=l?mp:c(7,o)-u>=l?P_:c(5,o)-u>=l?I_:Nf;if(d==Nf){let h=mn(c(1,o)-u);if(h<l)return Wh(t.slice().reverse(),a.distr,d,xi(l/h)).reverse()}return Wh(t,a.distr,d,1)}function N_(i,t,e,n,s){let r=i.axes[e],o=r.scale,a=r._space,c=i.valToPos,l=mn(c(1,o)-c(2,o));return l<a?Wh(t.slice().reverse(),3,mp,xi(a/l)).reverse():t}function D_(i,t,e,n){return n==null?Zh:t==null?"":Qh(t)}var Df={show:!0,scale:"y",stroke:$h,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:fp,side:3,grid:iu,ticks:up,border:dp,font:su,lineGap:pp,rotate:0};function U_(i,t){let e=3+(i||1)*2;return Oe(e*t,3)}function F_(i,t){let{scale:e,idxs:n}=i.series[0],s=i._data[0],r=i.valToPos(s[n[0]],e,!0),o=i.valToPos(s[n[1]],e,!0),a=mn(o-r),c=i.series[t],l=a/(c.points.space*we);return n[1]-n[0]<=l}var Uf={scale:null,auto:!0,sorted:0,min:Fe,max:-Fe},gp=(i,t,e,n,s)=>s,Ff={show:!0,auto:!0,sorted:0,gaps:gp,alpha:1,facets:[hn({},Uf,{scale:"x"}),hn({},Uf,{scale:"y"})]},Of={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:gp,alpha:1,points:{show:F_,filter:null},values:null,min:Fe,max:-Fe,idxs:[],path:null,clip:null};function O_(i,t,e,n,s){return e/10}var _p={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},B_=hn({},_p,{time:!1,ori:1}),Bf={};function xp(i,t){let e=Bf[i];return e||(e={key:i,plots:[],sub(n){e.plots.push(n)},unsub(n){e.plots=e.plots.filter(s=>s!=n)},pub(n,s,r,o,a,c,l){for(let u=0;u<e.plots.length;u++)e.plots[u]!=s&&e.plots[u].pub(n,s,r,o,a,c,l)}},i!=null&&(Bf[i]=e)),e}var Br=1,Xh=2;function or(i,t,e){let n=i.mode,s=i.series[t],r=n==2?i._data[t]:i._data,o=i.scales,a=i.bbox,c=r[0],l=n==2?r[1]:r[t],u=n==2?o[s.facets[0].scale]:o[i.series[0].scale],d=n==2?o[s.facets[1].scale]:o[s.scale],h=a.left,f=a.top,p=a.width,v=a.height,m=i.valToPosH,g=i.valToPosV;return u.ori==0?e(s,c,l,u,d,m,g,h,f,p,v,rl,zr,al,yp,Sp):e(s,c,l,u,d,g,m,f,h,v,p,ol,Vr,au,bp,Mp)}function ru(i,t){let e=0,n=0,s=be(i.bands,tu);for(let r=0;r<s.length;r++){let o=s[r];o.series[0]==t?e=o.dir:o.series[1]==t&&(o.dir==1?n|=1:n|=2)}return[e,n==1?-1:n==2?1:n==3?2:0]}function k_(i,t,e,n,s){let r=i.mode,o=i.series[t],a=r==2?o.facets[1].scale:o.scale,c=i.scales[a];return s==-1?c.min:s==1?c.max:c.distr==3?c.dir==1?c.min:c.max:0}function ls(i,t,e,n,s,r){return or(i,t,(o,a,c,l,u,d,h,f,p,v,m)=>{let g=o.pxRound,y=l.dir*(l.ori==0?1:-1),A=l.ori==0?zr:Vr,w,P;y==1?(w=e,P=n):(w=n,P=e);let E=g(d(a[w],l,v,f)),x=g(h(c[w],u,m,p)),T=g(d(a[P],l,v,f)),k=g(h(r==1?u.max:u.min,u,m,p)),U=new Path2D(s);return A(U,T,k),A(U,E,k),A(U,E,x),U})}function sl(i,t,e,n,s,r){let o=null;if(i.length>0){o=new Path2D;let a=t==0?al:au,c=e;for(let d=0;d<i.length;d++){let h=i[d];if(h[1]>h[0]){let f=h[0]-c;f>0&&a(o,c,n,f,n+r),c=h[1]}}let l=e+s-c,u=10;l>0&&a(o,c,n-u/2,l,n+r+u)}return o}function z_(i,t,e){let n=i[i.length-1];n&&n[0]==t?n[1]=e:i.push([t,e])}function ou(i,t,e,n,s,r,o){let a=[],c=i.length;for(let l=s==1?e:n;l>=e&&l<=n;l+=s)if(t[l]===null){let d=l,h=l;if(s==1)for(;++l<=n&&t[l]===null;)h=l;else for(;--l>=e&&t[l]===null;)h=l;let f=r(i[d]),p=h==d?f:r(i[h]),v=d-s;f=o<=0&&v>=0&&v<c?r(i[v]):f;let g=h+s;p=o>=0&&g>=0&&g<c?r(i[g]):p,p>=f&&a.push([f,p])}return a}function kf(i){return i==0?Zf:i==1?pn:t=>er(t,i)}function vp(i){let t=i==0?rl:ol,e=i==0?(s,r,o,a,c,l)=>{s.arcTo(r,o,a,c,l)}:(s,r,o,a,c,l)=>{s.arcTo(o,r,c,a,l)},n=i==0?(s,r,o,a,c)=>{s.rect(r,o,a,c)}:(s,r,o,a,c)=>{s.rect(o,r,c,a)};return(s,r,o,a,c,l=0,u=0)=>{l==0&&u==0?n(s,r,o,a,c):(l=Ri(l,a/2,c/2),u=Ri(u,a/2,c/2),t(s,r+l,o),e(s,r+a,o,r+a,o+c,l),e(s,r+a,o+c,r,o+c,u),e(s,r,o+c,r,o,u),e(s,r,o,r+a,o,l),s.closePath())}}var rl=(i,t,e)=>{i.moveTo(t,e)},ol=(i,t,e)=>{i.moveTo(e,t)},zr=(i,t,e)=>{i.lineTo(t,e)},Vr=(i,t,e)=>{i.lineTo(e,t)},al=vp(0),au=vp(1),yp=(i,t,e,n,s,r)=>{i.arc(t,e,n,s,r)},bp=(i,t,e,n,s,r)=>{i.arc(e,t,n,s,r)},Sp=(i,t,e,n,s,r,o)=>{i.bezierCurveTo(t,e,n,s,r,o)},Mp=(i,t,e,n,s,r,o)=>{i.bezierCurveTo(e,t,s,n,o,r)};function wp(i){return(t,e,n,s,r)=>or(t,e,(o,a,c,l,u,d,h,f,p,v,m)=>{let{pxRound:g,points:y}=o,A,w;l.ori==0?(A=rl,w=yp):(A=ol,w=bp);let P=Oe(y.width*we,3),E=(y.size-y.width)/2*we,x=Oe(E*2,3),T=new Path2D,k=new Path2D,{left:U,top:N,width:z,height:H}=t.bbox;al(k,U-x,N-x,z+x*2,H+x*2);let L=W=>{if(c[W]!=null){let $=g(d(a[W],l,v,f)),G=g(h(c[W],u,m,p));A(T,$+E,G),w(T,$,G,E,0,Ja*2)}};if(r)r.forEach(L);else for(let W=n;W<=s;W++)L(W);return{stroke:P>0?T:null,fill:T,clip:k,flags:Br|Xh}})}function Tp(i){return(t,e,n,s,r,o)=>{n!=s&&(r!=n&&o!=n&&i(t,e,n),r!=s&&o!=s&&i(t,e,s),i(t,e,o))}}var V_=Tp(zr),G_=Tp(Vr);function Ep(i){let t=be(i?.alignGaps,0);return(e,n,s,r)=>or(e,n,(o,a,c,l,u,d,h,f,p,v,m)=>{[s,r]=tl(c,s,r);let g=o.pxRound,y=H=>g(d(H,l,v,f)),A=H=>g(h(H,u,m,p)),w,P;l.ori==0?(w=zr,P=V_):(w=Vr,P=G_);let E=l.dir*(l.ori==0?1:-1),x={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Br},T=x.stroke,k=!1;if(r-s>=v*4){let H=ut=>e.posToVal(ut,l.key,!0),L=null,W=null,$,G,ct,K=y(a[E==1?s:r]),Q=y(a[s]),st=y(a[r]),dt=H(E==1?Q+1:st-1);for(let ut=E==1?s:r;ut>=s&&ut<=r;ut+=E){let tt=a[ut],xt=(E==1?tt<dt:tt>dt)?K:y(tt),At=c[ut];xt==K?At!=null?(G=At,L==null?(w(T,xt,A(G)),$=L=W=G):G<L?L=G:G>W&&(W=G)):At===null&&(k=!0):(L!=null&&P(T,K,A(L),A(W),A($),A(G)),At!=null?(G=At,w(T,xt,A(G)),L=W=$=G):(L=W=null,At===null&&(k=!0)),K=xt,dt=H(K+E))}L!=null&&L!=W&&ct!=K&&P(T,K,A(L),A(W),A($),A(G))}else for(let H=E==1?s:r;H>=s&&H<=r;H+=E){let L=c[H];L===null?k=!0:L!=null&&w(T,y(a[H]),A(L))}let[N,z]=ru(e,n);if(o.fill!=null||N!=0){let H=x.fill=new Path2D(T),L=o.fillTo(e,n,o.min,o.max,N),W=A(L),$=y(a[s]),G=y(a[r]);E==-1&&([G,$]=[$,G]),w(H,G,W),w(H,$,W)}if(!o.spanGaps){let H=[];k&&H.push(...ou(a,c,s,r,E,y,t)),x.gaps=H=o.gaps(e,n,s,r,H),x.clip=sl(H,l.ori,f,p,v,m)}return z!=0&&(x.band=z==2?[ls(e,n,s,r,T,-1),ls(e,n,s,r,T,1)]:ls(e,n,s,r,T,z)),x})}function H_(i){let t=be(i.align,1),e=be(i.ascDesc,!1),n=be(i.alignGaps,0),s=be(i.extend,!1);return(r,o,a,c)=>or(r,o,(l,u,d,h,f,p,v,m,g,y,A)=>{[a,c]=tl(d,a,c);let w=l.pxRound,{left:P,width:E}=r.bbox,x=Q=>w(p(Q,h,y,m)),T=Q=>w(v(Q,f,A,g)),k=h.ori==0?zr:Vr,U={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Br},N=U.stroke,z=h.dir*(h.ori==0?1:-1),H=T(d[z==1?a:c]),L=x(u[z==1?a:c]),W=L,$=L;s&&t==-1&&($=P,k(N,$,H)),k(N,L,H);for(let Q=z==1?a:c;Q>=a&&Q<=c;Q+=z){let st=d[Q];if(st==null)continue;let dt=x(u[Q]),ut=T(st);t==1?k(N,dt,H):k(N,W,ut),k(N,dt,ut),H=ut,W=dt}let G=W;s&&t==1&&(G=P+E,k(N,G,H));let[ct,K]=ru(r,o);if(l.fill!=null||ct!=0){let Q=U.fill=new Path2D(N),st=l.fillTo(r,o,l.min,l.max,ct),dt=T(st);k(Q,G,dt),k(Q,$,dt)}if(!l.spanGaps){let Q=[];Q.push(...ou(u,d,a,c,z,x,n));let st=l.width*we/2,dt=e||t==1?st:-st,ut=e||t==-1?-st:st;Q.forEach(tt=>{tt[0]+=dt,tt[1]+=ut}),U.gaps=Q=l.gaps(r,o,a,c,Q),U.clip=sl(Q,h.ori,m,g,y,A)}return K!=0&&(U.band=K==2?[ls(r,o,a,c,N,-1),ls(r,o,a,c,N,1)]:ls(r,o,a,c,N,K)),U})}function zf(i,t,e,n,s,r,o=Fe){if(i.length>1){let a=null;for(let c=0,l=1/0;c<i.length;c++)if(t[c]!==void 0){if(a!=null){let u=mn(i[c]-i[a]);u<l&&(l=u,o=mn(e(i[c],n,s,r)-e(i[a],n,s,r)))}a=c}}return o}function W_(i){i=i||Vo;let t=be(i.size,[.6,Fe,1]),e=i.align||0,n=i.gap||0,s=i.radius;s=s==null?[0,0]:typeof s=="number"?[s,0]:s;let r=_e(s),o=1-t[0],a=be(t[1],Fe),c=be(t[2],1),l=be(i.disp,Vo),u=be(i.each,f=>{}),{fill:d,stroke:h}=l;return(f,p,v,m)=>or(f,p,(g,y,A,w,P,E,x,T,k,U,N)=>{let z=g.pxRound,H=e,L=n*we,W=a*we,$=c*we,G,ct;w.ori==0?[G,ct]=r(f,p):[ct,G]=r(f,p);let K=w.dir*(w.ori==0?1:-1),Q=w.ori==0?al:au,st=w.ori==0?u:(Ct,Yt,se,Mt,Ue,zt,Xt)=>{u(Ct,Yt,se,Ue,Mt,Xt,zt)},dt=be(f.bands,tu).find(Ct=>Ct.series[0]==p),ut=dt!=null?dt.dir:0,tt=g.fillTo(f,p,g.min,g.max,ut),mt=z(x(tt,P,N,k)),xt,At,St,Ht=U,ie=z(g.width*we),Vt=!1,ue=null,le=null,ee=null,Xe=null;d!=null&&(ie==0||h!=null)&&(Vt=!0,ue=d.values(f,p,v,m),le=new Map,new Set(ue).forEach(Ct=>{Ct!=null&&le.set(Ct,new Path2D)}),ie>0&&(ee=h.values(f,p,v,m),Xe=new Map,new Set(ee).forEach(Ct=>{Ct!=null&&Xe.set(Ct,new Path2D)})));let{x0:Be,size:sn}=l;if(Be!=null&&sn!=null){H=1,y=Be.values(f,p,v,m),Be.unit==2&&(y=y.map(se=>f.posToVal(T+se*U,w.key,!0)));let Ct=sn.values(f,p,v,m);sn.unit==2?At=Ct[0]*U:At=E(Ct[0],w,U,T)-E(0,w,U,T),Ht=zf(y,A,E,w,U,T,Ht),St=Ht-At+L}else Ht=zf(y,A,E,w,U,T,Ht),St=Ht*o+L,At=Ht-St;St<1&&(St=0),ie>=At/2&&(ie=0),St<5&&(z=Zf);let Ie=St>0,yn=Ht-St-(Ie?ie:0);At=z(Gh(yn,$,W)),xt=(H==0?At/2:H==K?0:At)-H*K*((H==0?L/2:0)+(Ie?ie/2:0));let ve={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},dn=Vt?null:new Path2D,Ze=null;if(dt!=null)Ze=f.data[dt.series[1]];else{let{y0:Ct,y1:Yt}=l;Ct!=null&&Yt!=null&&(A=Yt.values(f,p,v,m),Ze=Ct.values(f,p,v,m))}let rn=G*At,O=ct*At;for(let Ct=K==1?v:m;Ct>=v&&Ct<=m;Ct+=K){let Yt=A[Ct];if(Yt==null)continue;if(Ze!=null){let q=Ze[Ct]??0;if(Yt-q==0)continue;mt=x(q,P,N,k)}let se=w.distr!=2||l!=null?y[Ct]:Ct,Mt=E(se,w,U,T),Ue=x(be(Yt,tt),P,N,k),zt=z(Mt-xt),Xt=z(Vn(Ue,mt)),R=z(Ri(Ue,mt)),b=Xt-R;if(Yt!=null){let q=Yt<0?O:rn,ht=Yt<0?rn:O;Vt?(ie>0&&ee[Ct]!=null&&Q(Xe.get(ee[Ct]),zt,R+ri(ie/2),At,Vn(0,b-ie),q,ht),ue[Ct]!=null&&Q(le.get(ue[Ct]),zt,R+ri(ie/2),At,Vn(0,b-ie),q,ht)):Q(dn,zt,R+ri(ie/2),At,Vn(0,b-ie),q,ht),st(f,p,Ct,zt-ie/2,R,At+ie,b)}}return ie>0?ve.stroke=Vt?Xe:dn:Vt||(ve._fill=g.width==0?g._fill:g._stroke??g._fill,ve.width=0),ve.fill=Vt?le:dn,ve})}function X_(i,t){let e=be(t?.alignGaps,0);return(n,s,r,o)=>or(n,s,(a,c,l,u,d,h,f,p,v,m,g)=>{[r,o]=tl(l,r,o);let y=a.pxRound,A=G=>y(h(G,u,m,p)),w=G=>y(f(G,d,g,v)),P,E,x;u.ori==0?(P=rl,x=zr,E=Sp):(P=ol,x=Vr,E=Mp);let T=u.dir*(u.ori==0?1:-1),k=A(c[T==1?r:o]),U=k,N=[],z=[];for(let G=T==1?r:o;G>=r&&G<=o;G+=T)if(l[G]!=null){let K=c[G],Q=A(K);N.push(U=Q),z.push(w(l[G]))}let H={stroke:i(N,z,P,x,E,y),fill:null,clip:null,band:null,gaps:null,flags:Br},L=H.stroke,[W,$]=ru(n,s);if(a.fill!=null||W!=0){let G=H.fill=new Path2D(L),ct=a.fillTo(n,s,a.min,a.max,W),K=w(ct);x(G,U,K),x(G,k,K)}if(!a.spanGaps){let G=[];G.push(...ou(c,l,r,o,T,A,e)),H.gaps=G=a.gaps(n,s,r,o,G),H.clip=sl(G,u.ori,p,v,m,g)}return $!=0&&(H.band=$==2?[ls(n,s,r,o,L,-1),ls(n,s,r,o,L,1)]:ls(n,s,r,o,L,$)),H})}function q_(i){return X_(Y_,i)}function Y_(i,t,e,n,s,r){let o=i.length;if(o<2)return null;let a=new Path2D;if(e(a,i[0],t[0]),o==2)n(a,i[1],t[1]);else{let c=Array(o),l=Array(o-1),u=Array(o-1),d=Array(o-1);for(let h=0;h<o-1;h++)u[h]=t[h+1]-t[h],d[h]=i[h+1]-i[h],l[h]=u[h]/d[h];c[0]=l[0];for(let h=1;h<o-1;h++)l[h]===0||l[h-1]===0||l[h-1]>0!=l[h]>0?c[h]=0:(c[h]=3*(d[h-1]+d[h])/((2*d[h]+d[h-1])/l[h-1]+(d[h]+2*d[h-1])/l[h]),isFinite(c[h])||(c[h]=0));c[o-1]=l[o-2];for(let h=0;h<o-1;h++)s(a,i[h]+d[h]/3,t[h]+c[h]*d[h]/3,i[h+1]-d[h]/3,t[h+1]-c[h+1]*d[h]/3,i[h+1],t[h+1])}return a}var qh=new Set;function Vf(){for(let i of qh)i.syncRect(!0)}kr&&(sr(A0,Dr,Vf),sr(R0,Dr,Vf,!0),sr(Ka,Dr,()=>{gn.pxRatio=we}));var $_=Ep(),Z_=wp();function Gf(i,t,e,n){return(n?[i[0],i[1]].concat(i.slice(2)):[i[0]].concat(i.slice(1))).map((r,o)=>Yh(r,o,t,e))}function J_(i,t){return i.map((e,n)=>n==0?{}:hn({},t,e))}function Yh(i,t,e,n){return hn({},t==0?e:n,i)}function Ap(i,t,e){return t==null?Fr:[t,e]}var K_=Ap;function j_(i,t,e){return t==null?Fr:ja(t,e,jh,!0)}function Rp(i,t,e,n){return t==null?Fr:el(t,e,i.scales[n].log,!1)}var Q_=Rp;function Cp(i,t,e,n){return t==null?Fr:Kh(t,e,i.scales[n].log,!1)}var tx=Cp;function ex(i,t,e,n,s){let r=Vn(yf(i),yf(t)),o=t-i,a=Ai(s/n*o,e);do{let c=e[a],l=n*c/o;if(l>=s&&r+(c<5?Ls.get(c):0)<=17)return[c,l]}while(++a<e.length);return[0,0]}function Hf(i){let t,e;return i=i.replace(/(\d+)px/,(n,s)=>(t=pn((e=+s)*we))+"px"),[i,t,e]}function nx(i){i.show&&[i.font,i.labelFont].forEach(t=>{let e=Oe(t[2]*we,1);t[0]=t[0].replace(/[0-9.]+px/,e+"px"),t[1]=e})}function gn(i,t,e){let n={mode:be(i.mode,1)},s=n.mode;function r(_,S,C,I){let V=S.valToPct(_);return I+C*(S.dir==-1?1-V:V)}function o(_,S,C,I){let V=S.valToPct(_);return I+C*(S.dir==-1?V:1-V)}function a(_,S,C,I){return S.ori==0?r(_,S,C,I):o(_,S,C,I)}n.valToPosH=r,n.valToPosV=o;let c=!1;n.status=0;let l=n.root=_i(c0);if(i.id!=null&&(l.id=i.id),si(l,i.class),i.title){let _=_i(d0,l);_.textContent=i.title}let u=Ei("canvas"),d=n.ctx=u.getContext("2d"),h=_i(f0,l);sr("click",h,_=>{_.target===p&&(ze!=Ar||qe!=Rr)&&Cn.click(n,_)},!0);let f=n.under=_i(p0,h);h.appendChild(u);let p=n.over=_i(m0,h);i=Or(i);let v=+be(i.pxAlign,1),m=kf(v);(i.plugins||[]).forEach(_=>{_.opts&&(i=_.opts(n,i)||i)});let g=i.ms||.001,y=n.series=s==1?Gf(i.series||[],Lf,Of,!1):J_(i.series||[null],Ff),A=n.axes=Gf(i.axes||[],If,Df,!0),w=n.scales={},P=n.bands=i.bands||[];P.forEach(_=>{_.fill=_e(_.fill||null),_.dir=be(_.dir,-1)});let E=s==2?y[1].facets[0].scale:y[0].scale,x={axes:rs,series:fe},T=(i.drawOrder||["axes","series"]).map(_=>x[_]);function k(_){let S=_.distr==3?C=>as(C>0?C:_.clamp(n,C,_.min,_.max,_.key)):_.distr==4?C=>Dh(C,_.asinh):_.distr==100?C=>_.fwd(C):C=>C;return C=>{let I=S(C),{_min:V,_max:J}=_,at=J-V;return(I-V)/at}}function U(_){let S=w[_];if(S==null){let C=(i.scales||Vo)[_]||Vo;if(C.from!=null){U(C.from);let I=hn({},w[C.from],C,{key:_});I.valToPct=k(I),w[_]=I}else{S=w[_]=hn({},_==E?_p:B_,C),S.key=_;let I=S.time,V=S.range,J=Is(V);if((_!=E||s==2&&!I)&&(J&&(V[0]==null||V[1]==null)&&(V={min:V[0]==null?_f:{mode:1,hard:V[0],soft:V[0]},max:V[1]==null?_f:{mode:1,hard:V[1],soft:V[1]}},J=!1),!J&&il(V))){let at=V;V=(ft,yt,Nt)=>yt==null?Fr:ja(yt,Nt,at)}S.range=_e(V||(I?K_:_==E?S.distr==3?Q_:S.distr==4?tx:Ap:S.distr==3?Rp:S.distr==4?Cp:j_)),S.auto=_e(J?!1:S.auto),S.clamp=_e(S.clamp||O_),S._min=S._max=null,S.valToPct=k(S)}}}U("x"),U("y"),s==1&&y.forEach(_=>{U(_.scale)}),A.forEach(_=>{U(_.scale)});for(let _ in i.scales)U(_);let N=w[E],z=N.distr,H,L;N.ori==0?(si(l,h0),H=r,L=o):(si(l,u0),H=o,L=r);let W={};for(let _ in w){let S=w[_];(S.min!=null||S.max!=null)&&(W[_]={min:S.min,max:S.max},S.min=S.max=null)}let $=i.tzDate||(_=>new Date(pn(_/g))),G=i.fmtDate||eu,ct=g==1?h_($):f_($),K=Rf($,Af(g==1?c_:d_,G)),Q=Pf($,Cf(m_,G)),st=[],dt=n.legend=hn({},x_,i.legend),ut=n.cursor=hn({},w_,{drag:{y:s==2}},i.cursor),tt=dt.show,mt=ut.show,xt=dt.markers;dt.idxs=st,xt.width=_e(xt.width),xt.dash=_e(xt.dash),xt.stroke=_e(xt.stroke),xt.fill=_e(xt.fill);let At,St,Ht,ie=[],Vt=[],ue,le=!1,ee={};if(dt.live){let _=y[1]?y[1].values:null;le=_!=null,ue=le?_(n,1,0):{_:0};for(let S in ue)ee[S]=Zh}if(tt)if(At=Ei("table",b0,l),Ht=Ei("tbody",null,At),dt.mount(n,At),le){St=Ei("thead",null,At,Ht);let _=Ei("tr",null,St);Ei("th",null,_);for(var Xe in ue)Ei("th",sf,_).textContent=Xe}else si(At,M0),dt.live&&si(At,S0);let Be={show:!0},sn={show:!1};function Ie(_,S){if(S==0&&(le||!dt.live||s==2))return Fr;let C=[],I=Ei("tr",w0,Ht,Ht.childNodes[S]);si(I,_.class),_.show||si(I,ir);let V=Ei("th",null,I);if(xt.show){let ft=_i(T0,V);if(S>0){let yt=xt.width(n,S);yt&&(ft.style.border=yt+"px "+xt.dash(n,S)+" "+xt.stroke(n,S)),ft.style.background=xt.fill(n,S)}}let J=_i(sf,V);_.label instanceof HTMLElement?J.appendChild(_.label):J.textContent=_.label,S>0&&(xt.show||(J.style.color=_.width>0?xt.stroke(n,S):xt.fill(n,S)),ve("click",V,ft=>{if(ut._lock)return;Zt(ft);let yt=y.indexOf(_);if((ft.ctrlKey||ft.metaKey)!=dt.isolate){let Nt=y.some((Dt,Ft)=>Ft>0&&Ft!=yt&&Dt.show);y.forEach((Dt,Ft)=>{Ft>0&&Gi(Ft,Nt?Ft==yt?Be:sn:Be,!0,cn.setSeries)})}else Gi(yt,{show:!_.show},!0,cn.setSeries)},!1),Jt&&ve(lf,V,ft=>{ut._lock||(Zt(ft),Gi(y.indexOf(_),Pr,!0,cn.setSeries))},!1));for(var at in ue){let ft=Ei("td",E0,I);ft.textContent="--",C.push(ft)}return[I,C]}let yn=new Map;function ve(_,S,C,I=!0){let V=yn.get(S)||{},J=ut.bind[_](n,S,C,I);J&&(sr(_,S,V[_]=J),yn.set(S,V))}function dn(_,S,C){let I=yn.get(S)||{};for(let V in I)(_==null||V==_)&&(Vh(V,S,I[V]),delete I[V]);_==null&&yn.delete(S)}let Ze=0,rn=0,O=0,Ct=0,Yt=0,se=0,Mt=Yt,Ue=se,zt=O,Xt=Ct,R=0,b=0,q=0,ht=0;n.bbox={};let ot=!1,_t=!1,vt=!1,et=!1,it=!1,pt=!1;function F(_,S,C){(C||_!=n.width||S!=n.height)&&rt(_,S),ce(!1),vt=!0,_t=!0,In()}function rt(_,S){n.width=Ze=O=_,n.height=rn=Ct=S,Yt=se=0,bt(),Gt();let C=n.bbox;R=C.left=er(Yt*we,.5),b=C.top=er(se*we,.5),q=C.width=er(O*we,.5),ht=C.height=er(Ct*we,.5)}let nt=3;function wt(){let _=!1,S=0;for(;!_;){S++;let C=wr(S),I=Vi(S);_=S==nt||C&&I,_||(rt(n.width,n.height),_t=!0)}}function gt({width:_,height:S}){F(_,S)}n.setSize=gt;function bt(){let _=!1,S=!1,C=!1,I=!1;A.forEach((V,J)=>{if(V.show&&V._show){let{side:at,_size:ft}=V,yt=at%2,Nt=V.label!=null?V.labelSize:0,Dt=ft+Nt;Dt>0&&(yt?(O-=Dt,at==3?(Yt+=Dt,I=!0):C=!0):(Ct-=Dt,at==0?(se+=Dt,_=!0):S=!0))}}),ki[0]=_,ki[1]=C,ki[2]=S,ki[3]=I,O-=Mi[1]+Mi[3],Yt+=Mi[3],Ct-=Mi[2]+Mi[0],se+=Mi[0]}function Gt(){let _=Yt+O,S=se+Ct,C=Yt,I=se;function V(J,at){switch(J){case 1:return _+=at,_-at;case 2:return S+=at,S-at;case 3:return C-=at,C+at;case 0:return I-=at,I+at}}A.forEach((J,at)=>{if(J.show&&J._show){let ft=J.side;J._pos=V(ft,J._size),J.label!=null&&(J._lpos=V(ft,J.labelSize))}})}if(ut.dataIdx==null){let _=ut.hover,S=_.skip=new Set(_.skip??[]);S.add(void 0);let C=_.prox=_e(_.prox),I=_.bias??=0;ut.dataIdx=(V,J,at,ft)=>{if(J==0)return at;let yt=at,Nt=C(V,J,at,ft)??Fe,Dt=Nt>=0&&Nt<Fe,Ft=N.ori==0?O:Ct,ne=ut.left,Me=t[0],ye=t[J];if(S.has(ye[at])){yt=null;let me=null,$t=null,Wt;if(I==0||I==-1)for(Wt=at;me==null&&Wt-- >0;)S.has(ye[Wt])||(me=Wt);if(I==0||I==1)for(Wt=at;$t==null&&Wt++<ye.length;)S.has(ye[Wt])||($t=Wt);if(me!=null||$t!=null)if(Dt){let Ge=me==null?-1/0:H(Me[me],N,Ft,0),je=$t==null?1/0:H(Me[$t],N,Ft,0),wn=ne-Ge,Le=je-ne;wn<=Le?wn<=Nt&&(yt=me):Le<=Nt&&(yt=$t)}else yt=$t==null?me:me==null?$t:at-me<=$t-at?me:$t}else Dt&&mn(ne-H(Me[at],N,Ft,0))>Nt&&(yt=null);return yt}}let Zt=_=>{ut.event=_};ut.idxs=st,ut._lock=!1;let lt=ut.points;lt.show=_e(lt.show),lt.size=_e(lt.size),lt.stroke=_e(lt.stroke),lt.width=_e(lt.width),lt.fill=_e(lt.fill);let Ot=n.focus=hn({},i.focus||{alpha:.3},ut.focus),Jt=Ot.prox>=0,Rt=Jt&&lt.one,ae=[],ke=[],Fn=[];function Ro(_,S){let C=lt.show(n,S);if(C instanceof HTMLElement)return si(C,y0),si(C,_.class),Yi(C,-10,-10,O,Ct),p.insertBefore(C,ae[S]),C}function br(_,S){if(s==1||S>0){let C=s==1&&w[_.scale].time,I=_.value;_.value=C?Mf(I)?Pf($,Cf(I,G)):I||Q:I||D_,_.label=_.label||(C?E_:T_)}if(Rt||S>0){_.width=_.width==null?1:_.width,_.paths=_.paths||$_||B0,_.fillTo=_e(_.fillTo||k_),_.pxAlign=+be(_.pxAlign,v),_.pxRound=kf(_.pxAlign),_.stroke=_e(_.stroke||null),_.fill=_e(_.fill||null),_._stroke=_._fill=_._paths=_._focus=null;let C=U_(Vn(1,_.width),1),I=_.points=hn({},{size:C,width:Vn(1,C*.2),stroke:_.stroke,space:C*2,paths:Z_,_stroke:null,_fill:null},_.points);I.show=_e(I.show),I.filter=_e(I.filter),I.fill=_e(I.fill),I.stroke=_e(I.stroke),I.paths=_e(I.paths),I.pxAlign=_.pxAlign}if(tt){let C=Ie(_,S);ie.splice(S,0,C[0]),Vt.splice(S,0,C[1]),dt.values.push(null)}if(mt){st.splice(S,0,null);let C=null;Rt?S==0&&(C=Ro(_,S)):S>0&&(C=Ro(_,S)),ae.splice(S,0,C),ke.splice(S,0,0),Fn.splice(S,0,0)}Mn("addSeries",S)}function _h(_,S){S=S??y.length,_=s==1?Yh(_,S,Lf,Of):Yh(_,S,{},Ff),y.splice(S,0,_),br(y[S],S)}n.addSeries=_h;function Ha(_){if(y.splice(_,1),tt){dt.values.splice(_,1),Vt.splice(_,1);let S=ie.splice(_,1)[0];dn(null,S.firstChild),S.remove()}mt&&(st.splice(_,1),ae.splice(_,1)[0].remove(),ke.splice(_,1),Fn.splice(_,1)),Mn("delSeries",_)}n.delSeries=Ha;let ki=[!1,!1,!1,!1];function ns(_,S){if(_._show=_.show,_.show){let C=_.side%2,I=w[_.scale];I==null&&(_.scale=C?y[1].scale:E,I=w[_.scale]);let V=I.time;_.size=_e(_.size),_.space=_e(_.space),_.rotate=_e(_.rotate),Is(_.incrs)&&_.incrs.forEach(at=>{!Ls.has(at)&&Ls.set(at,jf(at))}),_.incrs=_e(_.incrs||(I.distr==2?o_:V?g==1?l_:u_:nr)),_.splits=_e(_.splits||(V&&I.distr==1?ct:I.distr==3?Hh:I.distr==4?C_:R_)),_.stroke=_e(_.stroke),_.grid.stroke=_e(_.grid.stroke),_.ticks.stroke=_e(_.ticks.stroke),_.border.stroke=_e(_.border.stroke);let J=_.values;_.values=Is(J)&&!Is(J[0])?_e(J):V?Is(J)?Rf($,Af(J,G)):Mf(J)?p_($,J):J||K:J||A_,_.filter=_e(_.filter||(I.distr>=3&&I.log==10?L_:I.distr==3&&I.log==2?N_:Jf)),_.font=Hf(_.font),_.labelFont=Hf(_.labelFont),_._size=_.size(n,null,S,0),_._space=_._rotate=_._incrs=_._found=_._splits=_._values=null,_._size>0&&(ki[S]=!0,_._el=_i(g0,h))}}function is(_,S,C,I){let[V,J,at,ft]=C,yt=S%2,Nt=0;return yt==0&&(ft||J)&&(Nt=S==0&&!V||S==2&&!at?pn(If.size/3):0),yt==1&&(V||at)&&(Nt=S==1&&!J||S==3&&!ft?pn(Df.size/2):0),Nt}let Co=n.padding=(i.padding||[is,is,is,is]).map(_=>_e(be(_,is))),Mi=n._padding=Co.map((_,S)=>_(n,S,ki,0)),Je,en=null,nn=null,zi=s==1?y[0].idxs:null,ti=null,Ts=!1;function Po(_,S){if(t=_??[],n.data=n._data=t,s==2){Je=0;for(let C=1;C<y.length;C++)Je+=t[C][0].length}else{t.length==0&&(n.data=n._data=t=[[]]),ti=t[0],Je=ti.length;let C=t;if(z==2){C=t.slice();let I=C[0]=Array(Je);for(let V=0;V<Je;V++)I[V]=V}n._data=t=C}if(ce(!0),Mn("setData"),z==2&&(vt=!0),S!==!1){let C=N;C.auto(n,Ts)?Io():Rs(E,C.min,C.max),et=et||ut.left>=0,pt=!0,In()}}n.setData=Po;function Io(){Ts=!0;let _,S;s==1&&(Je>0?(en=zi[0]=0,nn=zi[1]=Je-1,_=t[0][en],S=t[0][nn],z==2?(_=en,S=nn):_==S&&(z==3?[_,S]=el(_,_,N.log,!1):z==4?[_,S]=Kh(_,_,N.log,!1):N.time?S=_+pn(86400/g):[_,S]=ja(_,S,jh,!0))):(en=zi[0]=_=null,nn=zi[1]=S=null)),Rs(E,_,S)}let Sr,Es,Mr,M,B,j,Y,Z,Tt,Pt;function Et(_,S,C,I,V,J){_??=of,C??=tu,I??="butt",V??=of,J??="round",_!=Sr&&(d.strokeStyle=Sr=_),V!=Es&&(d.fillStyle=Es=V),S!=Mr&&(d.lineWidth=Mr=S),J!=B&&(d.lineJoin=B=J),I!=j&&(d.lineCap=j=I),C!=M&&d.setLineDash(M=C)}function It(_,S,C,I){S!=Es&&(d.fillStyle=Es=S),_!=Y&&(d.font=Y=_),C!=Z&&(d.textAlign=Z=C),I!=Tt&&(d.textBaseline=Tt=I)}function kt(_,S,C,I,V=0){if(I.length>0&&_.auto(n,Ts)&&(S==null||S.min==null)){let J=be(en,0),at=be(nn,I.length-1),ft=C.min==null?L0(I,J,at,V,_.distr==3):[C.min,C.max];_.min=Ri(_.min,C.min=ft[0]),_.max=Vn(_.max,C.max=ft[1])}}let jt={min:null,max:null};function de(){for(let I in w){let V=w[I];W[I]==null&&(V.min==null||W[E]!=null&&V.auto(n,Ts))&&(W[I]=jt)}for(let I in w){let V=w[I];W[I]==null&&V.from!=null&&W[V.from]!=null&&(W[I]=jt)}W[E]!=null&&ce(!0);let _={};for(let I in W){let V=W[I];if(V!=null){let J=_[I]=Or(w[I],V0);if(V.min!=null)hn(J,V);else if(I!=E||s==2)if(Je==0&&J.from==null){let at=J.range(n,null,null,I);J.min=at[0],J.max=at[1]}else J.min=Fe,J.max=-Fe}}if(Je>0){y.forEach((I,V)=>{if(s==1){let J=I.scale,at=W[J];if(at==null)return;let ft=_[J];if(V==0){let yt=ft.range(n,ft.min,ft.max,J);ft.min=yt[0],ft.max=yt[1],en=Ai(ft.min,t[0]),nn=Ai(ft.max,t[0]),nn-en>1&&(t[0][en]<ft.min&&en++,t[0][nn]>ft.max&&nn--),I.min=ti[en],I.max=ti[nn]}else I.show&&I.auto&&kt(ft,at,I,t[V],I.sorted);I.idxs[0]=en,I.idxs[1]=nn}else if(V>0&&I.show&&I.auto){let[J,at]=I.facets,ft=J.scale,yt=at.scale,[Nt,Dt]=t[V],Ft=_[ft],ne=_[yt];Ft!=null&&kt(Ft,W[ft],J,Nt,J.sorted),ne!=null&&kt(ne,W[yt],at,Dt,at.sorted),I.min=at.min,I.max=at.max}});for(let I in _){let V=_[I],J=W[I];if(V.from==null&&(J==null||J.min==null)){let at=V.range(n,V.min==Fe?null:V.min,V.max==-Fe?null:V.max,I);V.min=at[0],V.max=at[1]}}}for(let I in _){let V=_[I];if(V.from!=null){let J=_[V.from];if(J.min==null)V.min=V.max=null;else{let at=V.range(n,J.min,J.max,I);V.min=at[0],V.max=at[1]}}}let S={},C=!1;for(let I in _){let V=_[I],J=w[I];if(J.min!=V.min||J.max!=V.max){J.min=V.min,J.max=V.max;let at=J.distr;J._min=at==3?as(J.min):at==4?Dh(J.min,J.asinh):at==100?J.fwd(J.min):J.min,J._max=at==3?as(J.max):at==4?Dh(J.max,J.asinh):at==100?J.fwd(J.max):J.max,S[I]=C=!0}}if(C){y.forEach((I,V)=>{s==2?V>0&&S.y&&(I._paths=null):S[I.scale]&&(I._paths=null)});for(let I in S)vt=!0,Mn("setScale",I);mt&&ut.left>=0&&(et=pt=!0)}for(let I in W)W[I]=null}function Bt(_){let S=Gh(en-1,0,Je-1),C=Gh(nn+1,0,Je-1);for(;_[S]==null&&S>0;)S--;for(;_[C]==null&&C<Je-1;)C++;return[S,C]}function fe(){if(Je>0){let _=y.some(S=>S._focus)&&Pt!=Ot.alpha;_&&(d.globalAlpha=Pt=Ot.alpha),y.forEach((S,C)=>{if(C>0&&S.show&&($e(C,!1),$e(C,!0),S._paths==null)){let I=Pt;Pt!=S.alpha&&(d.globalAlpha=Pt=S.alpha);let V=s==2?[0,t[C][0].length-1]:Bt(t[C]);S._paths=S.paths(n,C,V[0],V[1]),Pt!=I&&(d.globalAlpha=Pt=I)}}),y.forEach((S,C)=>{if(C>0&&S.show){let I=Pt;Pt!=S.alpha&&(d.globalAlpha=Pt=S.alpha),S._paths!=null&&Re(C,!1);{let V=S._paths!=null?S._paths.gaps:null,J=S.points.show(n,C,en,nn,V),at=S.points.filter(n,C,J,V);(J||at)&&(S.points._paths=S.points.paths(n,C,en,nn,at),Re(C,!0))}Pt!=I&&(d.globalAlpha=Pt=I),Mn("drawSeries",C)}}),_&&(d.globalAlpha=Pt=1)}}function $e(_,S){let C=S?y[_].points:y[_];C._stroke=C.stroke(n,_),C._fill=C.fill(n,_)}function Re(_,S){let C=S?y[_].points:y[_],{stroke:I,fill:V,clip:J,flags:at,_stroke:ft=C._stroke,_fill:yt=C._fill,_width:Nt=C.width}=C._paths;Nt=Oe(Nt*we,3);let Dt=null,Ft=Nt%2/2;S&&yt==null&&(yt=Nt>0?"#fff":ft);let ne=C.pxAlign==1&&Ft>0;if(ne&&d.translate(Ft,Ft),!S){let Me=R-Nt/2,ye=b-Nt/2,me=q+Nt,$t=ht+Nt;Dt=new Path2D,Dt.rect(Me,ye,me,$t)}S?Ut(ft,Nt,C.dash,C.cap,yt,I,V,at,J):Ce(_,ft,Nt,C.dash,C.cap,yt,I,V,at,Dt,J),ne&&d.translate(-Ft,-Ft)}function Ce(_,S,C,I,V,J,at,ft,yt,Nt,Dt){let Ft=!1;yt!=0&&P.forEach((ne,Me)=>{if(ne.series[0]==_){let ye=y[ne.series[1]],me=t[ne.series[1]],$t=(ye._paths||Vo).band;Is($t)&&($t=ne.dir==1?$t[0]:$t[1]);let Wt,Ge=null;ye.show&&$t&&D0(me,en,nn)?(Ge=ne.fill(n,Me)||J,Wt=ye._paths.clip):$t=null,Ut(S,C,I,V,Ge,at,ft,yt,Nt,Dt,Wt,$t),Ft=!0}}),Ft||Ut(S,C,I,V,J,at,ft,yt,Nt,Dt)}let fn=Br|Xh;function Ut(_,S,C,I,V,J,at,ft,yt,Nt,Dt,Ft){Et(_,S,C,I,V),(yt||Nt||Ft)&&(d.save(),yt&&d.clip(yt),Nt&&d.clip(Nt)),Ft?(ft&fn)==fn?(d.clip(Ft),Dt&&d.clip(Dt),ge(V,at),on(_,J,S)):ft&Xh?(ge(V,at),d.clip(Ft),on(_,J,S)):ft&Br&&(d.save(),d.clip(Ft),Dt&&d.clip(Dt),ge(V,at),d.restore(),on(_,J,S)):(ge(V,at),on(_,J,S)),(yt||Nt||Ft)&&d.restore()}function on(_,S,C){C>0&&(S instanceof Map?S.forEach((I,V)=>{d.strokeStyle=Sr=V,d.stroke(I)}):S!=null&&_&&d.stroke(S))}function ge(_,S){S instanceof Map?S.forEach((C,I)=>{d.fillStyle=Es=I,d.fill(C)}):S!=null&&_&&d.fill(S)}function ss(_,S,C,I){let V=A[_],J;if(I<=0)J=[0,0];else{let at=V._space=V.space(n,_,S,C,I),ft=V._incrs=V.incrs(n,_,S,C,I,at);J=ex(S,C,ft,I,at)}return V._found=J}function an(_,S,C,I,V,J,at,ft,yt,Nt){let Dt=at%2/2;v==1&&d.translate(Dt,Dt),Et(ft,at,yt,Nt,ft),d.beginPath();let Ft,ne,Me,ye,me=V+(I==0||I==3?-J:J);C==0?(ne=V,ye=me):(Ft=V,Me=me);for(let $t=0;$t<_.length;$t++)S[$t]!=null&&(C==0?Ft=Me=_[$t]:ne=ye=_[$t],d.moveTo(Ft,ne),d.lineTo(Me,ye));d.stroke(),v==1&&d.translate(-Dt,-Dt)}function wr(_){let S=!0;return A.forEach((C,I)=>{if(!C.show)return;let V=w[C.scale];if(V.min==null){C._show&&(S=!1,C._show=!1,ce(!1));return}else C._show||(S=!1,C._show=!0,ce(!1));let J=C.side,at=J%2,{min:ft,max:yt}=V,[Nt,Dt]=ss(I,ft,yt,at==0?O:Ct);if(Dt==0)return;let Ft=V.distr==2,ne=C._splits=C.splits(n,I,ft,yt,Nt,Dt,Ft),Me=V.distr==2?ne.map(Wt=>ti[Wt]):ne,ye=V.distr==2?ti[ne[1]]-ti[ne[0]]:Nt,me=C._values=C.values(n,C.filter(n,Me,I,Dt,ye),I,Dt,ye);C._rotate=J==2?C.rotate(n,me,I,Dt):0;let $t=C._size;C._size=xi(C.size(n,me,I,_)),$t!=null&&C._size!=$t&&(S=!1)}),S}function Vi(_){let S=!0;return Co.forEach((C,I)=>{let V=C(n,I,ki,_);V!=Mi[I]&&(S=!1),Mi[I]=V}),S}function rs(){for(let _=0;_<A.length;_++){let S=A[_];if(!S.show||!S._show)continue;let C=S.side,I=C%2,V,J,at=S.stroke(n,_),ft=C==0||C==3?-1:1,[yt,Nt]=S._found;if(S.label!=null){let kn=S.labelGap*ft,ii=pn((S._lpos+kn)*we);It(S.labelFont[0],at,"center",C==2?"top":rf),d.save(),I==1?(V=J=0,d.translate(ii,pn(b+ht/2)),d.rotate((C==3?-Ja:Ja)/2)):(V=pn(R+q/2),J=ii);let tr=$f(S.label)?S.label(n,_,yt,Nt):S.label;d.fillText(tr,V,J),d.restore()}if(Nt==0)continue;let Dt=w[S.scale],Ft=I==0?q:ht,ne=I==0?R:b,Me=S._splits,ye=Dt.distr==2?Me.map(kn=>ti[kn]):Me,me=Dt.distr==2?ti[Me[1]]-ti[Me[0]]:yt,$t=S.ticks,Wt=S.border,Ge=$t.show?$t.size:0,je=pn(Ge*we),wn=pn((S.alignTo==2?S._size-Ge-S.gap:S.gap)*we),Le=S._rotate*-Ja/180,Qe=m(S._pos*we),ei=(je+wn)*ft,Bn=Qe+ei;J=I==0?Bn:0,V=I==1?Bn:0;let pi=S.font[0],wi=S.align==1?Lr:S.align==2?Ih:Le>0?Lr:Le<0?Ih:I==0?"center":C==3?Ih:Lr,Wi=Le||I==1?"middle":C==2?"top":rf;It(pi,at,wi,Wi);let ni=S.font[1]*S.lineGap,mi=Me.map(kn=>m(a(kn,Dt,Ft,ne))),Ti=S._values;for(let kn=0;kn<Ti.length;kn++){let ii=Ti[kn];if(ii!=null){I==0?V=mi[kn]:J=mi[kn],ii=""+ii;let tr=ii.indexOf(`
`)==-1?[ii]:ii.split(/\n/gm);for(let zn=0;zn<tr.length;zn++){let Qd=tr[zn];Le?(d.save(),d.translate(V,J+zn*ni),d.rotate(Le),d.fillText(Qd,0,0),d.restore()):d.fillText(Qd,V,J+zn*ni)}}}$t.show&&an(mi,$t.filter(n,ye,_,Nt,me),I,C,Qe,je,Oe($t.width*we,3),$t.stroke(n,_),$t.dash,$t.cap);let Xi=S.grid;Xi.show&&an(mi,Xi.filter(n,ye,_,Nt,me),I,I==0?2:1,I==0?b:R,I==0?ht:q,Oe(Xi.width*we,3),Xi.stroke(n,_),Xi.dash,Xi.cap),Wt.show&&an([Qe],[1],I==0?1:0,I==0?1:2,I==1?b:R,I==1?ht:q,Oe(Wt.width*we,3),Wt.stroke(n,_),Wt.dash,Wt.cap)}Mn("drawAxes")}function ce(_){y.forEach((S,C)=>{C>0&&(S._paths=null,_&&(s==1?(S.min=null,S.max=null):S.facets.forEach(I=>{I.min=null,I.max=null})))})}let Ke=!1,On=!1,Pe=[];function ln(){On=!1;for(let _=0;_<Pe.length;_++)Mn(...Pe[_]);Pe.length=0}function In(){Ke||($0(Ud),Ke=!0)}function Wa(_,S=!1){Ke=!0,On=S,_(n),Ud(),S&&Pe.length>0&&queueMicrotask(ln)}n.batch=Wa;function Ud(){if(ot&&(de(),ot=!1),vt&&(wt(),vt=!1),_t){if(He(f,Lr,Yt),He(f,"top",se),He(f,Oo,O),He(f,Bo,Ct),He(p,Lr,Yt),He(p,"top",se),He(p,Oo,O),He(p,Bo,Ct),He(h,Oo,Ze),He(h,Bo,rn),u.width=pn(Ze*we),u.height=pn(rn*we),A.forEach(({_el:_,_show:S,_size:C,_pos:I,side:V})=>{if(_!=null)if(S){let J=V===3||V===0?C:0,at=V%2==1;He(_,at?"left":"top",I-J),He(_,at?"width":"height",C),He(_,at?"top":"left",at?se:Yt),He(_,at?"height":"width",at?Ct:O),zh(_,ir)}else si(_,ir)}),Sr=Es=Mr=B=j=Y=Z=Tt=M=null,Pt=1,Do(!0),Yt!=Mt||se!=Ue||O!=zt||Ct!=Xt){ce(!1);let _=O/zt,S=Ct/Xt;if(mt&&!et&&ut.left>=0){ut.left*=_,ut.top*=S,Tr&&Yi(Tr,pn(ut.left),0,O,Ct),Er&&Yi(Er,0,pn(ut.top),O,Ct);for(let C=0;C<ae.length;C++){let I=ae[C];I!=null&&(ke[C]*=_,Fn[C]*=S,Yi(I,xi(ke[C]),xi(Fn[C]),O,Ct))}}if(Ve.show&&!it&&Ve.left>=0&&Ve.width>0){Ve.left*=_,Ve.width*=_,Ve.top*=S,Ve.height*=S;for(let C in Mh)He(Cr,C,Ve[C])}Mt=Yt,Ue=se,zt=O,Xt=Ct}Mn("setSize"),_t=!1}Ze>0&&rn>0&&(d.clearRect(0,0,u.width,u.height),Mn("drawClear"),T.forEach(_=>_()),Mn("draw")),Ve.show&&it&&(Xa(Ve),it=!1),mt&&et&&(Qs(null,!0,!1),et=!1),dt.show&&dt.live&&pt&&(bh(),pt=!1),c||(c=!0,n.status=1,Mn("ready")),Ts=!1,Ke=!1}n.redraw=(_,S)=>{vt=S||!1,_!==!1?Rs(E,N.min,N.max):In()};function xh(_,S){let C=w[_];if(C.from==null){if(Je==0){let I=C.range(n,S.min,S.max,_);S.min=I[0],S.max=I[1]}if(S.min>S.max){let I=S.min;S.min=S.max,S.max=I}if(Je>1&&S.min!=null&&S.max!=null&&S.max-S.min<1e-16)return;_==E&&C.distr==2&&Je>0&&(S.min=Ai(S.min,t[0]),S.max=Ai(S.max,t[0]),S.min==S.max&&S.max++),W[_]=S,ot=!0,In()}}n.setScale=xh;let vh,yh,Tr,Er,Fd,Od,Ar,Rr,Bd,kd,ze,qe,As=!1,Cn=ut.drag,bn=Cn.x,Sn=Cn.y;mt&&(ut.x&&(vh=_i(x0,p)),ut.y&&(yh=_i(v0,p)),N.ori==0?(Tr=vh,Er=yh):(Tr=yh,Er=vh),ze=ut.left,qe=ut.top);let Ve=n.select=hn({show:!0,over:!0,left:0,width:0,top:0,height:0},i.select),Cr=Ve.show?_i(_0,Ve.over?p:f):null;function Xa(_,S){if(Ve.show){for(let C in _)Ve[C]=_[C],C in Mh&&He(Cr,C,_[C]);S!==!1&&Mn("setSelect")}}n.setSelect=Xa;function $g(_){if(y[_].show)tt&&zh(ie[_],ir);else if(tt&&si(ie[_],ir),mt){let C=Rt?ae[0]:ae[_];C!=null&&Yi(C,-10,-10,O,Ct)}}function Rs(_,S,C){xh(_,{min:S,max:C})}function Gi(_,S,C,I){S.focus!=null&&Qg(_),S.show!=null&&y.forEach((V,J)=>{J>0&&(_==J||_==null)&&(V.show=S.show,$g(J),s==2?(Rs(V.facets[0].scale,null,null),Rs(V.facets[1].scale,null,null)):Rs(V.scale,null,null),In())}),C!==!1&&Mn("setSeries",_,S),I&&Uo("setSeries",n,_,S)}n.setSeries=Gi;function Zg(_,S){hn(P[_],S)}function Jg(_,S){_.fill=_e(_.fill||null),_.dir=be(_.dir,-1),S=S??P.length,P.splice(S,0,_)}function Kg(_){_==null?P.length=0:P.splice(_,1)}n.addBand=Jg,n.setBand=Zg,n.delBand=Kg;function jg(_,S){y[_].alpha=S,mt&&ae[_]!=null&&(ae[_].style.opacity=S),tt&&ie[_]&&(ie[_].style.opacity=S)}let os,Cs,js,Pr={focus:!0};function Qg(_){if(_!=js){let S=_==null,C=Ot.alpha!=1;y.forEach((I,V)=>{if(s==1||V>0){let J=S||V==0||V==_;I._focus=S?null:J,C&&jg(V,J?1:Ot.alpha)}}),js=_,C&&In()}}tt&&Jt&&ve(cf,At,_=>{ut._lock||(Zt(_),js!=null&&Gi(null,Pr,!0,cn.setSeries))});function Hi(_,S,C){let I=w[S];C&&(_=_/we-(I.ori==1?se:Yt));let V=O;I.ori==1&&(V=Ct,_=V-_),I.dir==-1&&(_=V-_);let J=I._min,at=I._max,ft=_/V,yt=J+(at-J)*ft,Nt=I.distr;return Nt==3?Ur(10,yt):Nt==4?F0(yt,I.asinh):Nt==100?I.bwd(yt):yt}function t0(_,S){let C=Hi(_,E,S);return Ai(C,t[0],en,nn)}n.valToIdx=_=>Ai(_,t[0]),n.posToIdx=t0,n.posToVal=Hi,n.valToPos=(_,S,C)=>w[S].ori==0?r(_,w[S],C?q:O,C?R:0):o(_,w[S],C?ht:Ct,C?b:0),n.setCursor=(_,S,C)=>{ze=_.left,qe=_.top,Qs(null,S,C)};function zd(_,S){He(Cr,Lr,Ve.left=_),He(Cr,Oo,Ve.width=S)}function Vd(_,S){He(Cr,"top",Ve.top=_),He(Cr,Bo,Ve.height=S)}let Lo=N.ori==0?zd:Vd,No=N.ori==1?zd:Vd;function e0(){if(tt&&dt.live)for(let _=s==2?1:0;_<y.length;_++){if(_==0&&le)continue;let S=dt.values[_],C=0;for(let I in S)Vt[_][C++].firstChild.nodeValue=S[I]}}function bh(_,S){if(_!=null&&(_.idxs?_.idxs.forEach((C,I)=>{st[I]=C}):z0(_.idx)||st.fill(_.idx),dt.idx=st[0]),tt&&dt.live){for(let C=0;C<y.length;C++)(C>0||s==1&&!le)&&n0(C,st[C]);e0()}pt=!1,S!==!1&&Mn("setLegend")}n.setLegend=bh;function n0(_,S){let C=y[_],I=_==0&&z==2?ti:t[_],V;le?V=C.values(n,_,S)??ee:(V=C.value(n,S==null?null:I[S],_,S),V=V==null?ee:{_:V}),dt.values[_]=V}function Qs(_,S,C){Bd=ze,kd=qe,[ze,qe]=ut.move(n,ze,qe),ut.left=ze,ut.top=qe,mt&&(Tr&&Yi(Tr,pn(ze),0,O,Ct),Er&&Yi(Er,0,pn(qe),O,Ct));let I,V=en>nn;os=Fe,Cs=null;let J=N.ori==0?O:Ct,at=N.ori==1?O:Ct;if(ze<0||Je==0||V){I=ut.idx=null;for(let ft=0;ft<y.length;ft++){let yt=ae[ft];yt!=null&&Yi(yt,-10,-10,O,Ct)}Jt&&Gi(null,Pr,!0,_==null&&cn.setSeries),dt.live&&(st.fill(I),pt=!0)}else{let ft,yt,Nt;s==1&&(ft=N.ori==0?ze:qe,yt=Hi(ft,E),I=ut.idx=Ai(yt,t[0],en,nn),Nt=H(t[0][I],N,J,0));let Dt=-10,Ft=-10,ne=0,Me=0,ye=!0,me="",$t="";for(let Wt=s==2?1:0;Wt<y.length;Wt++){let Ge=y[Wt],je=st[Wt],wn=je==null?null:s==1?t[Wt][je]:t[Wt][1][je],Le=ut.dataIdx(n,Wt,I,yt),Qe=Le==null?null:s==1?t[Wt][Le]:t[Wt][1][Le];if(pt=pt||Qe!=wn||Le!=je,st[Wt]=Le,Wt>0&&Ge.show){let ei=Le==null?-10:Le==I?Nt:H(s==1?t[0][Le]:t[Wt][0][Le],N,J,0),Bn=Qe==null?-10:L(Qe,s==1?w[Ge.scale]:w[Ge.facets[1].scale],at,0);if(Jt&&Qe!=null){let pi=N.ori==1?ze:qe,wi=mn(Ot.dist(n,Wt,Le,Bn,pi));if(wi<os){let Wi=Ot.bias;if(Wi!=0){let ni=Hi(pi,Ge.scale),mi=Qe>=0?1:-1,Ti=ni>=0?1:-1;Ti==mi&&(Ti==1?Wi==1?Qe>=ni:Qe<=ni:Wi==1?Qe<=ni:Qe>=ni)&&(os=wi,Cs=Wt)}else os=wi,Cs=Wt}}if(pt||Rt){let pi,wi;N.ori==0?(pi=ei,wi=Bn):(pi=Bn,wi=ei);let Wi,ni,mi,Ti,Xi,kn,ii=!0,tr=lt.bbox;if(tr!=null){ii=!1;let zn=tr(n,Wt);mi=zn.left,Ti=zn.top,Wi=zn.width,ni=zn.height}else mi=pi,Ti=wi,Wi=ni=lt.size(n,Wt);if(kn=lt.fill(n,Wt),Xi=lt.stroke(n,Wt),Rt)Wt==Cs&&os<=Ot.prox&&(Dt=mi,Ft=Ti,ne=Wi,Me=ni,ye=ii,me=kn,$t=Xi);else{let zn=ae[Wt];zn!=null&&(ke[Wt]=mi,Fn[Wt]=Ti,gf(zn,Wi,ni,ii),pf(zn,kn,Xi),Yi(zn,xi(mi),xi(Ti),O,Ct))}}}}if(Rt){let Wt=Ot.prox,Ge=js==null?os<=Wt:os>Wt||Cs!=js;if(pt||Ge){let je=ae[0];je!=null&&(ke[0]=Dt,Fn[0]=Ft,gf(je,ne,Me,ye),pf(je,me,$t),Yi(je,xi(Dt),xi(Ft),O,Ct))}}}if(Ve.show&&As)if(_!=null){let[ft,yt]=cn.scales,[Nt,Dt]=cn.match,[Ft,ne]=_.cursor.sync.scales,Me=_.cursor.drag;if(bn=Me._x,Sn=Me._y,bn||Sn){let{left:ye,top:me,width:$t,height:Wt}=_.select,Ge=_.scales[Ft].ori,je=_.posToVal,wn,Le,Qe,ei,Bn,pi=ft!=null&&Nt(ft,Ft),wi=yt!=null&&Dt(yt,ne);pi&&bn?(Ge==0?(wn=ye,Le=$t):(wn=me,Le=Wt),Qe=w[ft],ei=H(je(wn,Ft),Qe,J,0),Bn=H(je(wn+Le,Ft),Qe,J,0),Lo(Ri(ei,Bn),mn(Bn-ei))):Lo(0,J),wi&&Sn?(Ge==1?(wn=ye,Le=$t):(wn=me,Le=Wt),Qe=w[yt],ei=L(je(wn,ne),Qe,at,0),Bn=L(je(wn+Le,ne),Qe,at,0),No(Ri(ei,Bn),mn(Bn-ei))):No(0,at)}else wh()}else{let ft=mn(Bd-Fd),yt=mn(kd-Od);if(N.ori==1){let ne=ft;ft=yt,yt=ne}bn=Cn.x&&ft>=Cn.dist,Sn=Cn.y&&yt>=Cn.dist;let Nt=Cn.uni;Nt!=null?bn&&Sn&&(bn=ft>=Nt,Sn=yt>=Nt,!bn&&!Sn&&(yt>ft?Sn=!0:bn=!0)):Cn.x&&Cn.y&&(bn||Sn)&&(bn=Sn=!0);let Dt,Ft;bn&&(N.ori==0?(Dt=Ar,Ft=ze):(Dt=Rr,Ft=qe),Lo(Ri(Dt,Ft),mn(Ft-Dt)),Sn||No(0,at)),Sn&&(N.ori==1?(Dt=Ar,Ft=ze):(Dt=Rr,Ft=qe),No(Ri(Dt,Ft),mn(Ft-Dt)),bn||Lo(0,J)),!bn&&!Sn&&(Lo(0,0),No(0,0))}if(Cn._x=bn,Cn._y=Sn,_==null){if(C){if(jd!=null){let[ft,yt]=cn.scales;cn.values[0]=ft!=null?Hi(N.ori==0?ze:qe,ft):null,cn.values[1]=yt!=null?Hi(N.ori==1?ze:qe,yt):null}Uo(Lh,n,ze,qe,O,Ct,I)}if(Jt){let ft=C&&cn.setSeries,yt=Ot.prox;js==null?os<=yt&&Gi(Cs,Pr,!0,ft):os>yt?Gi(null,Pr,!0,ft):Cs!=js&&Gi(Cs,Pr,!0,ft)}}pt&&(dt.idx=I,bh()),S!==!1&&Mn("setCursor")}let Ps=null;Object.defineProperty(n,"rect",{get(){return Ps==null&&Do(!1),Ps}});function Do(_=!1){_?Ps=null:(Ps=p.getBoundingClientRect(),Mn("syncRect",Ps))}function Gd(_,S,C,I,V,J,at){ut._lock||As&&_!=null&&_.movementX==0&&_.movementY==0||(Sh(_,S,C,I,V,J,at,!1,_!=null),_!=null?Qs(null,!0,!0):Qs(S,!0,!1))}function Sh(_,S,C,I,V,J,at,ft,yt){if(Ps==null&&Do(!1),Zt(_),_!=null)C=_.clientX-Ps.left,I=_.clientY-Ps.top;else{if(C<0||I<0){ze=-10,qe=-10;return}let[Nt,Dt]=cn.scales,Ft=S.cursor.sync,[ne,Me]=Ft.values,[ye,me]=Ft.scales,[$t,Wt]=cn.match,Ge=S.axes[0].side%2==1,je=N.ori==0?O:Ct,wn=N.ori==1?O:Ct,Le=Ge?J:V,Qe=Ge?V:J,ei=Ge?I:C,Bn=Ge?C:I;if(ye!=null?C=$t(Nt,ye)?a(ne,w[Nt],je,0):-10:C=je*(ei/Le),me!=null?I=Wt(Dt,me)?a(Me,w[Dt],wn,0):-10:I=wn*(Bn/Qe),N.ori==1){let pi=C;C=I,I=pi}}yt&&(S==null||S.cursor.event.type==Lh)&&((C<=1||C>=O-1)&&(C=er(C,O)),(I<=1||I>=Ct-1)&&(I=er(I,Ct))),ft?(Fd=C,Od=I,[Ar,Rr]=ut.move(n,C,I)):(ze=C,qe=I)}let Mh={width:0,height:0,left:0,top:0};function wh(){Xa(Mh,!1)}let Hd,Wd,Xd,qd;function Yd(_,S,C,I,V,J,at){As=!0,bn=Sn=Cn._x=Cn._y=!1,Sh(_,S,C,I,V,J,at,!0,!1),_!=null&&(ve(Nh,Bh,$d,!1),Uo(af,n,Ar,Rr,O,Ct,null));let{left:ft,top:yt,width:Nt,height:Dt}=Ve;Hd=ft,Wd=yt,Xd=Nt,qd=Dt}function $d(_,S,C,I,V,J,at){As=Cn._x=Cn._y=!1,Sh(_,S,C,I,V,J,at,!1,!0);let{left:ft,top:yt,width:Nt,height:Dt}=Ve,Ft=Nt>0||Dt>0,ne=Hd!=ft||Wd!=yt||Xd!=Nt||qd!=Dt;if(Ft&&ne&&Xa(Ve),Cn.setScale&&Ft&&ne){let Me=ft,ye=Nt,me=yt,$t=Dt;if(N.ori==1&&(Me=yt,ye=Dt,me=ft,$t=Nt),bn&&Rs(E,Hi(Me,E),Hi(Me+ye,E)),Sn)for(let Wt in w){let Ge=w[Wt];Wt!=E&&Ge.from==null&&Ge.min!=Fe&&Rs(Wt,Hi(me+$t,Wt),Hi(me,Wt))}wh()}else ut.lock&&(ut._lock=!ut._lock,Qs(S,!0,_!=null));_!=null&&(dn(Nh,Bh),Uo(Nh,n,ze,qe,O,Ct,null))}function i0(_,S,C,I,V,J,at){if(ut._lock)return;Zt(_);let ft=As;if(As){let yt=!0,Nt=!0,Dt=10,Ft,ne;N.ori==0?(Ft=bn,ne=Sn):(Ft=Sn,ne=bn),Ft&&ne&&(yt=ze<=Dt||ze>=O-Dt,Nt=qe<=Dt||qe>=Ct-Dt),Ft&&yt&&(ze=ze<Ar?0:O),ne&&Nt&&(qe=qe<Rr?0:Ct),Qs(null,!0,!0),As=!1}ze=-10,qe=-10,st.fill(null),Qs(null,!0,!0),ft&&(As=ft)}function Zd(_,S,C,I,V,J,at){ut._lock||(Zt(_),Io(),wh(),_!=null&&Uo(hf,n,ze,qe,O,Ct,null))}function Jd(){A.forEach(nx),F(n.width,n.height,!0)}sr(Ka,Dr,Jd);let Ir={};Ir.mousedown=Yd,Ir.mousemove=Gd,Ir.mouseup=$d,Ir.dblclick=Zd,Ir.setSeries=(_,S,C,I)=>{let V=cn.match[2];C=V(n,S,C),C!=-1&&Gi(C,I,!0,!1)},mt&&(ve(af,p,Yd),ve(Lh,p,Gd),ve(lf,p,_=>{Zt(_),Do(!1)}),ve(cf,p,i0),ve(hf,p,Zd),qh.add(n),n.syncRect=Do);let qa=n.hooks=i.hooks||{};function Mn(_,S,C){On?Pe.push([_,S,C]):_ in qa&&qa[_].forEach(I=>{I.call(null,n,S,C)})}(i.plugins||[]).forEach(_=>{for(let S in _.hooks)qa[S]=(qa[S]||[]).concat(_.hooks[S])});let Kd=(_,S,C)=>C,cn=hn({key:null,setSeries:!1,filters:{pub:bf,sub:bf},scales:[E,y[1]?y[1].scale:null],match:[Sf,Sf,Kd],values:[null,null]},ut.sync);cn.match.length==2&&cn.match.push(Kd),ut.sync=cn;let jd=cn.key,Th=xp(jd);function Uo(_,S,C,I,V,J,at){cn.filters.pub(_,S,C,I,V,J,at)&&Th.pub(_,S,C,I,V,J,at)}Th.sub(n);function s0(_,S,C,I,V,J,at){cn.filters.sub(_,S,C,I,V,J,at)&&Ir[_](null,S,C,I,V,J,at)}n.pub=s0;function r0(){Th.unsub(n),qh.delete(n),yn.clear(),Vh(Ka,Dr,Jd),l.remove(),At?.remove(),Mn("destroy")}n.destroy=r0;function Eh(){Mn("init",i,t),Po(t||i.data,!1),W[E]?xh(E,W[E]):Io(),it=Ve.show&&(Ve.width>0||Ve.height>0),et=pt=!0,F(i.width,i.height)}return y.forEach(br),A.forEach(ns),e?e instanceof HTMLElement?(e.appendChild(l),Eh()):e(n,Eh):Eh(),n}gn.assign=hn;gn.fmtNum=Qh;gn.rangeNum=ja;gn.rangeLog=el;gn.rangeAsinh=Kh;gn.orient=or;gn.pxRatio=we;gn.join=Y0;gn.fmtDate=eu,gn.tzDate=s_;gn.sync=xp;{gn.addGap=z_,gn.clipGaps=sl;let i=gn.paths={points:wp};i.linear=Ep,i.stepped=H_,i.bars=W_,i.spline=q_}function Pp(i,t,e){for(let[n,s]of Object.entries(t))s==null||s===!1||i.setAttribute(n,s===!0?"":String(s));for(let n of e)n==null||n===!1||i.append(n)}function D(i,t={},...e){let n=document.createElement(i);return Pp(n,t,e),n}function Ci(i,t={},...e){let n=document.createElementNS("http://www.w3.org/2000/svg",i);return Pp(n,t,e),n}function Pn(i,t,e,...n){return D("section",{id:i,"aria-labelledby":`${i}-title`},D("h2",{id:`${i}-title`},t),e?D("p",{class:"lead"},e):null,...n)}function re(i,t=4){if(i==null||Number.isNaN(i))return"\u2013";if(!Number.isFinite(i))return i>0?"\u221E":"\u2212\u221E";if(i===0)return"0";let e=Math.floor(Math.log10(Math.abs(Number(i.toPrecision(t))))),n=e<-4||e>=t+2?i.toExponential(t-1):i.toPrecision(t),[s="",r]=n.split("e"),o=s.includes(".")?s.replace(/\.?0+$/,""):s;return r?`${o}e${r}`:o}function Tn(i){if(i==null||Number.isNaN(i))return"\u2013";let t=100*i;return Math.abs(t)>=100?t.toFixed(1):t!==0&&Math.abs(t)<.01?re(t,2):t.toFixed(4)}var Gn=(i,t=1)=>i==null||Number.isNaN(i)?"\u2013":`${(100*i).toFixed(t)} %`,En=i=>i.toLocaleString("en-US"),Ip=i=>i.charAt(0).toUpperCase()+i.slice(1),Gr=(i,t)=>`${En(i)} ${t}${i===1?"":"s"}`;function vi(i){return i==null?"none":typeof i=="string"?i===""?"none":i:typeof i=="number"?Number.isInteger(i)?String(i):re(i,6):JSON.stringify(i)}var Ho=[];function Lp(i){Ho=i??[]}function cs(i){let t=e=>{let n=Ho.findIndex(s=>s.key===e);return n<0?Ho.length:n};return Object.entries(i).sort((e,n)=>t(e[0])-t(n[0]))}var Pi=i=>Ho.find(t=>t.key===i)?.name??i.replace(/_/g," "),ix=i=>Ho.find(t=>t.key===i)?.own_forecasts??!0,Wo=(i,t)=>i.task==="interpolate"||ix(t),Hr=(i,t)=>t?`${i} (${t})`:i;function Np(i,t,e){if(e){let n=new Date(e);if(!Number.isNaN(n.getTime()))return new Date(n.getTime()+1e3*i).toISOString().replace(".000Z","Z")}return t?`${re(i)} ${t}`:re(i)}var sx=[1,2,5,10,20,50,100,200,500,1e3,2e3,5e3,1e4];function lu(i,t,e){let n=Ne();return{stroke:n.muted,label:i,labelSize:22,labelFont:"12px system-ui, sans-serif",font:"11px system-ui, sans-serif",size:e,grid:{stroke:n.grid,width:1},ticks:{stroke:n.grid,width:1,size:4},values:(s,r)=>r.map(o=>o==null?"":t(o))}}var cu=lu;function Xo(i,t){let e=0,n=()=>{i.clientWidth>0&&t(i.clientWidth)};qi(n),new ResizeObserver(()=>{Math.abs(i.clientWidth-e)<2||(e=i.clientWidth,n())}).observe(i)}function Ns(i){let t=D("div",{class:"chart",role:"img","aria-label":i.label}),e=D("div",{class:"keys"}),n=D("div",{class:"readout","aria-live":"off"}),s=i.format??(a=>re(a)),r=null,o=i.lines.map(()=>D("b"));return i.lines.forEach((a,c)=>{let l=D("i",{class:a.dash?"swatch dashed":"swatch"});l.style.color=a.colour(),qi(()=>l.style.color=a.colour()),e.append(D("span",{class:"key"},l,a.label," ",o[c]??null))}),Xo(t,a=>{r?.destroy();let c=i.lines.every(u=>u.values.every(d=>d==null||d>0)),l=i.log===!0&&c;r=new gn({width:a,height:i.height??240,padding:[10,12,0,0],legend:{show:!1},cursor:{y:!1,points:{size:7},drag:{x:!1,y:!1}},scales:{x:{time:!1},y:l?{distr:3}:{}},axes:[{...lu(i.xLabel,u=>re(u),46),...i.whole?{incrs:sx}:{}},lu(i.yLabel,s,58)],series:[{},...i.lines.map(u=>({label:u.label,stroke:u.colour(),width:u.width??2,...u.dash?{dash:u.dash}:{},points:{show:u.points??!1,size:6,fill:u.colour(),stroke:u.colour()}}))],hooks:{setCursor:[u=>{let d=u.cursor.idx;i.lines.forEach((f,p)=>{let v=d==null?void 0:u.data[p+1]?.[d],m=o[p];m&&(m.textContent=v==null?"":s(v))});let h=d==null?void 0:u.data[0]?.[d];n.textContent=h===void 0?"":`${i.xLabel}: ${re(h)}`}]}},[i.x,...i.lines.map(u=>u.values)],t)}),D("figure",{class:"plot"},e,t,n)}function ll(i){return i.epochs_planned===null?Gr(i.epochs_done,"epoch"):`${i.epochs_done} of ${Gr(i.epochs_planned,"epoch")}`}function rx(i){let t=i.run,e=ll(t),s={stopped:`This run was stopped after ${e}; lgode train --resume continues it.`,training:`This run was still training when the page was written: ${e} were done.`,failed:`This run failed after ${e}.`}[t.state],r=i.note?D("p",{},i.note):null;return!s&&!r?null:D("div",{class:`banner ${t.state}`,role:"status",id:"state"},s?D("p",{class:"strong"},s):null,t.failure?D("p",{class:"mono"},t.failure):null,r)}function Ds(i){return i.variant==="full"?i.model:`${i.model} ${i.variant}`}function Wr(i,t,e,n,s){return D("div",{class:"card",id:i,"data-value":s??void 0},D("div",{class:"label"},t),D("div",{class:"big"},e),D("div",{class:"small"},n))}function ox(i){let t=null;for(let[e,n]of Object.entries(i.evaluation.classical))n.mse!==null&&(t===null||n.mse<t.mse)&&(t={name:e,mse:n.mse});return t}function ax(i){let t=i.verdict;return!t||t.kind==="none"?null:D("div",{class:`verdict ${t.kind}`,id:"verdict","data-kind":t.kind},D("p",{class:"strong"},t.text),t.worst?D("p",{},t.worst):null,t.advice?D("p",{},t.advice):null)}function Dp(i){return i.data?.features.find(t=>t.position)?.unit??""}function lx(i,t){let e=t.evaluation.model,n=ox(t),s=D("div",{class:"cards"}),r=c=>{let l=document.createDocumentFragment();return l.append(Tn(c),D("span",{class:"unit"}," \xD7 10\u207B\xB2")),l};if(typeof e.distance=="number"&&s.append(Wr("card-distance",`${t.split} error`,`${re(e.distance)} ${Dp(i)}`.trim(),"mean distance of predicted from true positions",e.distance)),s.append(Wr("card-error",typeof e.distance=="number"?"normalised":`${t.split} error`,r(e.mse),`mean squared error, ${Gr(e.systems,"system")}, ${Gr(e.values,"value")}`,e.mse)),n&&e.mse!==null){let c=n.mse>e.mse,l=c?n.mse/e.mse:e.mse/n.mse;s.append(Wr("card-classical","against the best classical path",`${re(l,3)} \xD7`,`${c?"lower":"higher"} than ${Pi(n.name)} (${Tn(n.mse)})`,n.mse))}let o=i.paper?.find(c=>c.row==="LG-ODE")??i.paper?.[0];o&&s.append(Wr("card-paper",`${o.row} in the paper`,r(o.mse),"same data set, task and share",o.mse));let a=t.evaluation.intervals;return s.append(a?Wr("card-coverage","in the 90 % intervals",Gn(a.model.coverage[90]),t.promise.holds?"as promised, within chance":t.promise.differences?.length?"no promise: the test part is unlike the training part":"the promise of 90 % does not hold here",a.model.coverage[90]):Wr("card-coverage","in the 90 % intervals","\u2013","the intervals are not calibrated")),s}var cx=[{key:"mse",name:"all targets",unit:"squared"},{key:"mse_unseen",name:"unseen",unit:"squared"}];function qo(i,t){let e=i[t];return typeof e=="number"?e:null}function hx(i,t){let e=i.metrics??cx,n=t.evaluation.model,s=(h,f,p,v)=>({key:h,name:f,kind:p,mse:v.mse,values:e.map(m=>qo(v,m.key))}),r=[s("model",`${Ds(t)} (this run)`,"own",n)];for(let[h,f]of cs(t.evaluation.classical))r.push(s(h,Pi(h),"classical",f));for(let h of i.paper??[])r.push({key:`paper-${h.row}`,name:`${h.row} in the paper`,kind:"paper",mse:h.mse,values:[h.mse]});let o=r.map(h=>h.mse).filter(h=>h!==null&&h>0),a=Math.log10(Math.min(...o)),c=Math.log10(Math.max(...o)),l=h=>h===null||h<=0?0:c>a?4+94*(Math.log10(h)-a)/(c-a):50,u=(h,f,p)=>{let v=h.values[p],m=v===void 0?"":Yo(v,f);return D("td",{class:p===0?"num":"num wide","data-value":v??void 0},m)},d=D("tbody");for(let h of r){let f=D("i",{class:`dot ${h.kind}`});f.style.left=`${l(h.mse)}%`,d.append(D("tr",{class:h.kind,"data-row":h.key},D("th",{scope:"row"},h.name),...e.map((p,v)=>u(h,p,v)),D("td",{class:"num"},h.mse!==null&&n.mse?`${re(h.mse/n.mse,3)} \xD7`:"\u2013"),D("td",{class:"track","aria-hidden":"true"},D("div",{},f))))}return D("div",{class:"scroll"},D("table",{id:"errors"},D("thead",{},D("tr",{},D("th",{scope:"col"},"error \xD7 10\u207B\xB2"),...e.map((h,f)=>D("th",{scope:"col",class:f===0?"num":"num wide"},h.name)),D("th",{scope:"col",class:"num"},"to model"),D("th",{scope:"col",class:"track"},"logarithmic"))),d))}function ux(i,t){let e=t.evaluation.model,n=typeof e.distance=="number",s=(a,c)=>c?`${a} [${c}]`:a,r=[...n?[s("mean distance",Dp(i))]:[],...e.features.map(a=>s(`RMSE ${a.feature}`,a.unit))],o=(a,c,l)=>{let u=[...n?[l.distance??null]:[],...l.features.map(d=>d.rmse)];return D("tr",{"data-row":a,class:a==="model"?"own":"classical"},D("th",{scope:"row"},c),...u.map(d=>D("td",{class:"num","data-value":d??void 0},re(d))))};return D("div",{class:"scroll"},D("table",{id:"units"},D("thead",{},D("tr",{},D("th",{scope:"col"},"in units"),...r.map(a=>D("th",{scope:"col",class:"num"},a)))),D("tbody",{},o("model",`${Ds(t)} (this run)`,e),...cs(t.evaluation.classical).map(([a,c])=>o(a,Pi(a),c)))))}function Yo(i,t){return t.unit==="squared"?Tn(i):t.unit==="share"?Gn(i):re(i)}function dx(i){let t=i.evaluation.positions;if(!t)return null;let e=t.note?D("p",{class:"muted",id:"positions-note"},`${Ip(t.note.replace(/`/g,""))}.`):null;if(t.metrics.length===0)return e;let n=[["model",`${Ds(i)} (this run)`,i.evaluation.model],...cs(i.evaluation.classical).filter(([a])=>Wo(i,a)).map(([a,c])=>[a,Pi(a),c])],s=a=>a.unit==="original"?t.unit??"":a.unit==="nats"?"nats":"",r=t.metrics.map(a=>D("tr",{"data-row":a.key},D("th",{scope:"row"},s(a)?`${a.name} [${s(a)}]`:a.name),...n.map(([c,,l])=>{let u=qo(l,a.key);return D("td",{class:"num","data-method":c,"data-value":u??void 0},Yo(u,a))}))),o=a=>`${re(a)} ${t.unit??""}`.trim();return D("div",{},D("div",{class:"scroll"},D("table",{id:"positions"},D("thead",{},D("tr",{},D("th",{scope:"col"},"positions"),...n.map(([,a])=>D("th",{scope:"col",class:"num"},a)))),D("tbody",{},...r))),D("p",{class:"muted"},`A miss is a final error above ${o(t.miss_distance)}, a collision two predicted centres nearer than ${o(t.collision_distance)}.`),e)}function Up(i){let t=D("dl",{class:"facts"});for(let[e,n]of i)n&&t.append(D("div",{},D("dt",{},e),D("dd",{},n)));return t}function fx(i){let t=i.data;if(!t)return null;let e=t.fewest_objects===t.most_objects?En(t.most_objects):`${En(t.fewest_objects)} to ${En(t.most_objects)}`;return Up([["data set",t.name],["file",t.path],["made by",t.source],["systems",`${En(t.train_systems)} training, ${En(t.test_systems)} test`],["objects per system",e],["observations",En(t.observations)],["features",t.features.map(n=>n.unit?`${n.name} [${n.unit}]`:n.name).join(", ")],["relations",`${t.relation_types.join(", ")}${t.relations==="listed"?"":` (${t.relations})`}`],["time unit",t.time_unit]])}function px(i){let t=i.evaluation,e=n=>vi(i.settings.find(s=>s.key===n)?.value);return Up([["task",`${e("task")}, ${Gn(Number(i.settings.find(n=>n.key==="observed")?.value),0)} observed`],["model",t?Ds(t):e("model")],["protocol, seed",`${e("protocol")}, ${e("seed")}`],["trained",`${ll(i.run)}, ${Gr(i.run.steps,"step")}`],["weights of epoch",t?String(t.epochs):""],["made by",t?`lgode ${t.version} (${t.commit})`:""],["on",t?t.machine:""]])}function mx(i){let t=i.filter(o=>o.changed),e=o=>D("tr",{class:o.changed?"changed":"",title:o.help??""},D("th",{scope:"row"},o.key),D("td",{},vi(o.value)),D("td",{class:"muted"},o.changed?`default ${vi(o.default)}`:"")),n=[...new Set(i.map(o=>o.group))],s=D("table",{class:"settings"});for(let o of n){o&&s.append(D("thead",{},D("tr",{},D("th",{colspan:3,scope:"colgroup"},o))));let a=D("tbody");for(let c of i.filter(l=>l.group===o))a.append(e(c));s.append(a)}let r=D("ul",{class:"chips"});for(let o of t)r.append(D("li",{title:`${o.help??""} (default ${vi(o.default)})`},D("span",{class:"muted"},o.key)," ",D("b",{},vi(o.value))));return D("div",{},D("h3",{},"Settings that differ from the defaults"),t.length?r:D("p",{class:"muted"},"none"),D("details",{},D("summary",{},`All ${i.length} settings`),s))}function Fp(i){let t=i.evaluation;return Pn("summary","Summary","",rx(i),t?ax(t):null,t?lx(i,t):null,t?ux(i,t):null,t?dx(t):null,t?hx(i,t):null,D("div",{class:"columns"},D("div",{},D("h3",{},"Run"),px(i)),D("div",{},i.data?D("h3",{},"Data"):null,fx(i))),mx(i.settings))}function gx(i){let t=i.map(e=>e.run.name);return new Set(t).size===t.length?t:i.map(e=>e.path)}function _x(i){let t=new Map;for(let e of i)for(let n of e.evaluation?.evaluation.positions?.metrics??[])t.has(n.key)||t.set(n.key,n);return[...t.values()]}function xx(i,t,e){let n=[],s=l=>JSON.stringify([l.evaluation?.task,l.evaluation?.observed,l.evaluation?.data_name,l.evaluation?.split]),r=new Set(i.filter(l=>l.evaluation).map(s)).size===1,o=(l,u,d,h=!1)=>{let f=i.map(d),p=f.map(m=>m.raw).filter(m=>typeof m=="number"),v=h&&r&&p.length>1?Math.min(...p):null;n.push(D("tr",{"data-row":l},D("th",{scope:"row"},u),...f.map(m=>D("td",{class:m.raw===v&&v!==null?"num best":"num","data-value":m.raw??void 0},m.text))))},a=l=>({text:Tn(l),raw:l});o("task","task",l=>({text:l.evaluation?`${l.evaluation.task}, ${Gn(l.evaluation.observed,0)}`:"\u2013"})),o("data","data",l=>({text:l.evaluation?`${l.evaluation.data_name}, ${l.evaluation.split} part`:"\u2013"})),o("model","model",l=>({text:l.evaluation?Ds(l.evaluation):"\u2013"})),o("state","trained",l=>({text:`${l.run.state}, ${ll(l.run)}`})),o("error","error \xD7 10\u207B\xB2",l=>a(l.evaluation?.evaluation.model.mse),!0),o("unseen","on unseen targets \xD7 10\u207B\xB2",l=>a(l.evaluation?.evaluation.model.mse_unseen),!0);for(let l of e)l.key==="mse"||l.key==="mse_unseen"||o(l.key,l.name,u=>{let d=u.evaluation?qo(u.evaluation.evaluation.model,l.key):null;return{text:Yo(d,l),raw:d}});for(let l of _x(i))o(l.key,l.name,u=>{let d=u.evaluation?.evaluation.positions,h=u.evaluation?qo(u.evaluation.evaluation.model,l.key):null,f=l.unit==="original"&&h!==null?` ${d?.unit??""}`.trimEnd():"";return{text:Yo(h,l)+f,raw:h}});let c=[...new Set(i.flatMap(l=>cs(l.evaluation?.evaluation.classical??{}).map(([u])=>u)))];for(let l of c)o(l,`${Pi(l)} \xD7 10\u207B\xB2`,u=>a(u.evaluation?.evaluation.classical[l]?.mse));return o("paper","LG-ODE in the paper \xD7 10\u207B\xB2",l=>a(l.paper?.find(u=>u.row==="LG-ODE")?.mse)),o("coverage","in the 90 % intervals",l=>{let u=l.evaluation?.evaluation.intervals?.model.coverage["90"];return{text:Gn(u),raw:u}}),o("width","width of 90 %",l=>{let u=l.evaluation?.evaluation.intervals?.model.width["90"];return{text:re(u),raw:u}}),D("div",{class:"scroll"},D("table",{id:"errors"},t,D("tbody",{},...n)))}function vx(i,t){let e=[...new Set(i.flatMap(a=>a.settings.map(c=>c.key)))],n=(a,c)=>a.settings.find(l=>l.key===c)?.value,s=a=>new Set(i.map(c=>JSON.stringify(n(c,a)))).size>1,r=a=>D("tr",{class:s(a)?"differs":"","data-key":a},D("th",{scope:"row"},a),...i.map(c=>D("td",{},vi(n(c,a))))),o=e.filter(s);return Pn("settings","Settings",o.length?`${o.length} of ${e.length} settings differ; they are highlighted.`:"All settings are the same.",D("div",{class:"scroll"},D("table",{class:"settings"},t,D("tbody",{},...o.map(r)))),D("details",{},D("summary",{},`All ${e.length} settings`),D("div",{class:"scroll"},D("table",{class:"settings",id:"all-settings"},t.cloneNode(!0),D("tbody",{},...e.map(r))))))}function Op(i,t,e){let n=o=>e==="curve"?o.curve.map(a=>[a.epoch,a.validation_mse??null]):(o.evaluation?.evaluation.model.horizon??[]).map(a=>[(a.begin+a.end)/2,a.mse]),s=[...new Set(i.flatMap(o=>n(o).map(([a])=>a)))].sort((o,a)=>o-a);if(s.length===0)return null;let r=i.map((o,a)=>{let c=new Map(n(o));return{label:t[a]??"",colour:()=>Zn(a),values:s.map(l=>{let u=c.get(l);return u===void 0?void 0:u===null?null:100*u}),points:s.length<30,...a>=7?{dash:[6,4]}:{}}});return Ns({x:s,lines:r,log:!0,xLabel:e==="curve"?"epoch":"time since the start",yLabel:"error \xD7 10\u207B\xB2",label:e==="curve"?"validation errors by epoch":"errors over the horizon",whole:e==="curve"})}function Bp(i){let t=i.runs,e=gx(t),n=()=>D("thead",{},D("tr",{},D("th",{},""),...e.map(a=>D("th",{scope:"col",class:"num"},a)))),s=t.map((a,c)=>a.note?D("p",{class:"strong"},`${e[c]}: not evaluated: ${a.note}`):null),r=Op(t,e,"curve"),o=Op(t,e,"horizon");return[Pn("summary","Errors","The lowest error is bold where the runs have the same task and data.",s.some(Boolean)?D("div",{class:"banner stopped"},...s):null,xx(t,n(),i.metrics??[])),vx(t,n()),r?Pn("curves","Validation error by epoch","",r):null,o?Pn("horizon","Error over the horizon","",o):null]}function zp(i){let t=i.curve;if(t.length===0)return Pn("curves","Learning curves","",D("p",{class:"muted"},"No epoch was finished."));let e=t.map(a=>a.epoch),n=a=>t.map(c=>c[a]===null||c[a]===void 0?null:100*c[a]),s=t.filter(a=>a.best).pop(),r=[{label:"training",colour:()=>Zn(4),values:n("train_mse"),points:e.length<30},{label:"validation",colour:()=>Zn(0),values:n("validation_mse"),points:e.length<30}].filter(a=>a.values.some(c=>c!==null)),o=t.map(a=>a.lr??null);return Pn("curves","Learning curves",s&&s.validation_mse?`The weights of epoch ${s.epoch} were kept, by the validation part: the error there is ${Tn(s.validation_mse)} \xD7 10\u207B\xB2. Both curves show the mean squared error of the same weights.`:"",D("div",{class:"charts"},r.length?Ns({x:e,lines:r,log:!0,xLabel:"epoch",yLabel:"error \xD7 10\u207B\xB2",label:"errors by epoch",whole:!0}):null,o.some(a=>a!==null)?Ns({x:e,lines:[{label:"learning rate",colour:()=>Zn(2),values:o,points:e.length<30}],xLabel:"epoch",yLabel:"learning rate",label:"learning rate by epoch",whole:!0}):null))}function Vp(i){let t=i.evaluation;if(!t)return null;let e=t.evaluation.model.horizon,n=e.map(h=>(h.begin+h.end)/2),s=h=>{let f=m=>e.map((g,y)=>{let A=m[y];return(A&&h(A))??null}),p=[{label:"model",colour:()=>Zn(0),values:f(e),width:3,points:!0}],v=1;for(let[m,g]of cs(t.evaluation.classical)){if(!Wo(t,m))continue;let y=v++;p.push({label:Pi(m),colour:()=>Zn(y),values:f(g.horizon),width:1.5,dash:[5,4]})}return p},r=s(h=>h.mse===null?null:100*h.mse),o=s(h=>h.ade),a=t.evaluation.positions,c=a?.metrics.find(h=>h.key==="min_ade");c&&o.push({label:`model, best of ${a?.futures??0} futures (${c.name})`,colour:()=>Zn(0),values:e.map(h=>h.min_ade??null),width:2,dash:[2,3],points:!0});let l=i.data?.time_unit,u=`time since the start${l?` (${l})`:""}`,d=t.evaluation.intervals?.model.horizon;return Pn("horizon","Error over the horizon",t.task==="extrapolate"?"How the error grows with the distance from the last observation.":"The error along the range.",D("div",{class:"charts"},Ns({x:n,lines:r,log:!0,xLabel:u,yLabel:"error \xD7 10\u207B\xB2",label:"error over the horizon"}),e.some(h=>typeof h.ade=="number")?Ns({x:n,lines:o,log:!0,xLabel:u,yLabel:`ADE${a?.unit?` (${a.unit})`:""}`,label:"mean distance of positions over the horizon"}):null,d&&d.some(h=>h.values>0)?Ns({x:d.map(h=>(h.begin+h.end)/2),lines:[{label:"in the 90 % intervals",colour:()=>Zn(0),values:d.map(h=>h.coverage[90]===null||h.coverage[90]===void 0?null:100*h.coverage[90]),width:3,points:!0},{label:"promised",colour:()=>Ne().muted,values:d.map(()=>90),dash:[2,4],width:1.5}],xLabel:u,yLabel:"%",label:"coverage over the horizon"}):null))}var hu=["50","80","90"];function yx(i,t){let e=D("div",{class:"chart"});return Xo(e,n=>{let s=Ne(),r=300,o=48,a=Math.min(n-o-16,420),c=h=>o+h*a,l=h=>10+(1-h)*(r-56),u=Ci("svg",{width:n,height:r,role:"img","aria-label":"promised and actual shares"});for(let h of[0,.25,.5,.75,1])u.append(Ci("line",{x1:c(0),x2:c(1),y1:l(h),y2:l(h),stroke:s.grid}),Ci("line",{x1:c(h),x2:c(h),y1:l(0),y2:l(1),stroke:s.grid}),Ci("text",{x:c(0)-8,y:l(h)+4,"text-anchor":"end",class:"tick"},Gn(h,0)),Ci("text",{x:c(h),y:l(0)+18,"text-anchor":"middle",class:"tick"},Gn(h,0)));u.append(Ci("line",{x1:c(0),y1:l(0),x2:c(1),y2:l(1),stroke:s.muted,"stroke-dasharray":"4 4"}),Ci("text",{x:c(.5),y:r-6,"text-anchor":"middle",class:"tick"},"promised share"));let d=(h,f,p,v)=>{let g=hu.map(y=>[Number(y)/100,h.coverage[y]]).filter(y=>typeof y[1]=="number");u.append(Ci("polyline",{points:g.map(([y,A])=>`${c(y)},${l(A)}`).join(" "),fill:"none",stroke:f,"stroke-width":p?2.5:1.2,"stroke-dasharray":p?null:"5 4"}));for(let[y,A]of g)u.append(Ci("circle",{cx:c(y),cy:l(A),r:p?5:3,fill:f},Ci("title",{},`${v}: ${Gn(A)} of the values are in the ${Gn(y,0)} intervals`)))};t.forEach(([h,f],p)=>d(f,Zn(p+1),!1,Pi(h))),d(i,Zn(0),!0,"model"),e.replaceChildren(u)}),D("figure",{class:"plot"},e)}function Gp(i){let t=i.evaluation;if(!t)return null;let e=t.evaluation.intervals;if(!e)return Pn("calibration","Calibration of the intervals","",D("p",{},"The intervals of this run are not calibrated; lgode calibrate fits them to data that was not trained on."));let n=cs(e.classical).filter(([o])=>Wo(t,o)),s=(o,a,c,l)=>{let u=D("i",{class:l===0?"swatch":"swatch dashed"});return u.style.color=Zn(l),qi(()=>u.style.color=Zn(l)),D("tr",{"data-row":o,class:l===0?"own":""},D("th",{scope:"row"},u,a),...hu.map(d=>D("td",{class:"num","data-level":d,"data-value":c.coverage[d]??void 0},Gn(c.coverage[d]))),D("td",{class:"num","data-value":c.width[90]??void 0},re(c.width[90])),D("td",{class:"num","data-value":c.interval_score??void 0},re(c.interval_score)))},r=[t.promise.holds?"The promise holds: as far ahead as the calibration reaches, about 90 % of the values lie in the 90 % intervals.":"The promise of 90 % does not hold on this part."];for(let o of t.promise.differences??[])r.push(D("span",{class:"block"},`\u2013 ${o}`));return Pn("calibration","Calibration of the intervals","An interval of 90 % should hold 90 % of the values: on the diagonal. A narrower one that does so is better.",D("div",{class:"charts"},yx(e.model,n),D("div",{class:"scroll"},D("table",{id:"coverage"},D("thead",{},D("tr",{},D("th",{scope:"col"},"share in"),...hu.map(o=>D("th",{scope:"col",class:"num"},`${o} %`)),D("th",{scope:"col",class:"num"},"width of 90 %"),D("th",{scope:"col",class:"num"},"score"))),D("tbody",{},s("model","model",e.model,0),...n.map(([o,a],c)=>s(o,Pi(o),a,c+1)))),D("p",{class:"muted"},...r),D("p",{class:"muted"},"Widths and interval scores in normalised units; lower scores are better."))))}function kp(i,t){let e=Math.max(...i.map(s=>s.value),Number.MIN_VALUE),n=D("div",{class:i.length>16?"bars columns":"bars",role:"img","aria-label":t});for(let s of i){let r=D("i");r.style.width=`${100*s.value/e}%`,n.append(D("div",{class:"bar",title:s.title},D("span",{class:"name"},s.label),D("span",{class:"rail"},r),D("span",{class:"num"},s.title.split(": ").pop()??"")))}return n}function Hp(i){let t=i.objects;if(!t||t.by==="none")return null;if(t.by==="name"){let n=t.rows.map(s=>({label:s.id,value:s.mse??0,title:`${s.id}: ${Tn(s.mse)}`}));return Pn("objects","Error per object",`Error \xD7 10\u207B\xB2, averaged over ${t.rows.length===1?"the systems":"the systems that have the object"}.`,kp(n,"error per object"))}let e=t.counts.map((n,s)=>{let r=10**(t.low+(t.high-t.low)*s/t.counts.length);return{label:Tn(r),value:n,title:`from ${Tn(r)}: ${En(n)}`}});return Pn("objects","Error per object",`How the errors \xD7 10\u207B\xB2 of ${En(t.count)} objects are distributed: half of them are below ${Tn(t.quantiles[2])}, 5 % above ${Tn(t.quantiles[4])}.`,kp(e,"distribution of errors per object"))}var Xr=class{constructor(t,e){this.system=t;this.positions=e;this.up=this.upAxis();let n=new Set,s=t.data.relations;if(s.length/3<=4*t.objects)for(let o=0;o+2<s.length;o+=3){let[a,c]=[s[o]??0,s[o+1]??0],l=a<c?`${a} ${c}`:`${c} ${a}`;n.has(l)||(n.add(l),this.bones.push([a,c]))}let r=[0,1,2].map(o=>t.range(this.feature(o)));this.centre=r.map(([o,a])=>(o+a)/2),this.radius=Math.max(1e-9,Math.hypot(...r.map(([o,a])=>(a-o)/2))),this.floor=r[2]?.[0]??0}system;positions;bones=[];centre;radius;floor;up;feature(t){return this.positions[(this.up+1+t)%3]??0}upAxis(){let t=this.system.times.length,e=[0,0,0].map((s,r)=>{let o=this.system.mean[this.positions[r]??0],a=0;for(let c=0;c<t;c+=10){let[l,u]=[1/0,-1/0];for(let d=0;d<this.system.objects;++d){let h=o?.[d*t+c]??NaN;Number.isNaN(h)||([l,u]=[Math.min(l,h),Math.max(u,h)])}l<=u&&(a+=u-l)}return a}),n=2;for(let s of[1,0])(e[s]??0)>1.1*(e[n]??0)&&(n=s);return n}place(t){return[t(this.feature(0)),t(this.feature(1)),t(this.feature(2))]}truth(t){return Array.from({length:this.system.objects},(e,n)=>this.place(s=>this.system.truth(n,s,t)))}predicted(t){return Array.from({length:this.system.objects},(e,n)=>this.place(s=>this.system.predicted(n,s,t)))}truePath(t){let e=[];for(let n=this.system.first(t);n<this.system.last(t);++n)e.push(this.place(s=>this.system.values[s]?.[n]??NaN));return e}observed(t){let e=[];for(let n=this.system.first(t);n<this.system.last(t);++n)this.system.isSeen(n)&&e.push(this.place(s=>this.system.values[s]?.[n]??NaN));return e}predictedPath(t){let e=this.system.times.length;return Array.from({length:e},(n,s)=>this.place(r=>this.system.mean[r]?.[t*e+s]??NaN))}futurePath(t,e){return this.system.futures.path(t,e,n=>this.place(n))}band(t,e){let n=this.place(r=>this.system.read(t,r,e).low),s=this.place(r=>this.system.read(t,r,e).high);return{centre:n.map((r,o)=>(r+(s[o]??0))/2),half:n.map((r,o)=>((s[o]??0)-r)/2)}}},Hn=i=>!i.some(Number.isNaN);function cl(i,t){let{count:e,total:n}=i.futures;if(e===0)return t;let s=e<n?`the ${e} most probable of ${n} futures`:`${e} futures`;return`${t}; with ${s} of each object, the fainter the less probable`}var hs=7,qr=class{element=D("div",{class:"tooltip",role:"tooltip",hidden:!0});hide(){this.element.hidden=!0}show(t,e,n,s,r,o){let a=D("table");a.append(D("tr",{},D("th",{},""),D("th",{},"truth"),D("th",{},"predicted"))),s.features.slice(0,8).forEach((u,d)=>{let h=t.read(e,d,n);a.append(D("tr",{},D("th",{},Hr(u.name,u.unit)),D("td",{},re(h.truth)),D("td",{},Number.isNaN(h.mean)?"\u2013":`${re(h.mean)} (${re(h.low,3)} to ${re(h.high,3)})`)))}),this.element.replaceChildren(D("b",{},t.data.objects.ids[e]??""),a),this.element.hidden=!1;let c=this.element.parentElement,l=c?c.clientWidth:0;this.element.style.left=`${Math.max(4,Math.min(r+14,l-this.element.offsetWidth-4))}px`,this.element.style.top=`${o+14}px`}},Us=class{element=D("canvas");context;width=0;height=0;constructor(){let t=this.element.getContext("2d");if(!t)throw new Error("this browser has no canvas");this.context=t}fit(t,e){let n=Math.min(window.devicePixelRatio||1,2);this.width=t,this.height=e,this.element.width=Math.round(t*n),this.element.height=Math.round(e*n),this.element.style.height=`${e}px`,this.context.setTransform(n,0,0,n,0,0)}};var uu=148,du=104;function bx(i,t){let e=[],n=[],s=[],r=i.times.length;if(t.length===3){let l=new Xr(i,t),u=h=>{let[f=0,p=0,v=0]=h;return[.83*f+.56*p,v+.15*(.83*p-.56*f)]},d=i.startAt;for(let h of[d+.02*(i.duration-d),d+.5*(i.duration-d),i.duration*.98]){let[f,p]=[l.truth(h),l.predicted(h)];for(let[v,m]of l.bones){let g=y=>[u(y[v]??[]),u(y[m]??[])];e.push(g(f)),n.push(g(p))}}if(l.bones.length>0)return{truth:e,predicted:n,futures:s}}let o=t.length!==2&&t.length!==3,[a,c]=[t[0]??0,t[1]??t[0]??0];for(let l=0;l<i.objects;++l){let u=[];for(let d=i.first(l);d<i.last(l);++d)u.push([o?i.seenTimes[d]??0:i.values[a]?.[d]??NaN,i.values[o?a:c]?.[d]??NaN]);e.push(u),n.push(Array.from({length:r},(d,h)=>[o?i.times[h]??0:i.mean[a]?.[l*r+h]??NaN,i.mean[o?a:c]?.[l*r+h]??NaN]));for(let d of o||i.objects>hs?[]:i.futures.drawn)s.push({points:i.futures.path(l,d,h=>[h(a),h(c)]),object:l,opacity:i.futures.opacity(l,d)})}return{truth:e,predicted:n,futures:s}}function Sx(i,t){let e=new Us,n=bx(i,t),s=()=>{e.fit(uu,du);let r=e.context,[o,a]=[[1/0,1/0],[-1/0,-1/0]];for(let m of[n.truth,n.predicted,n.futures.map(g=>g.points)])for(let g of m)for(let y of g)for(let A of[0,1])Number.isNaN(y[A])||(o[A]=Math.min(o[A],y[A]),a[A]=Math.max(a[A],y[A]));let c=[a[0]-o[0]||1,a[1]-o[1]||1],l=t.length===2||t.length===3,u=[(uu-16)/c[0],(du-16)/c[1]],d=l?[Math.min(...u),Math.min(...u)]:u,h=m=>[uu/2+(m[0]-(o[0]+a[0])/2)*d[0],du/2-(m[1]-(o[1]+a[1])/2)*d[1]],f=m=>{let g=!1;for(let y of m){let[A,w]=h(y);Number.isNaN(A)||Number.isNaN(w)?g=!1:g?r.lineTo(A,w):(r.moveTo(A,w),g=!0)}},p=(m,g,y)=>{r.strokeStyle=g,r.lineWidth=y,r.beginPath();for(let A of m)f(A);r.stroke()},v=i.objects>hs;r.lineCap="round",p(n.truth,De(Ne().truth,v?.3:.35),v?.8:2.5);for(let m of n.futures)p([m.points],De(gi(m.object),.7*m.opacity),.8);v?p(n.predicted,De(Ne().model,.55),.8):n.predicted.forEach((m,g)=>p([m],gi(g),1.4))};return s(),qi(s),e.element.setAttribute("aria-hidden","true"),e.element}var hl=class{constructor(t,e,n,s){this.systems=t;this.unit=n;this.order=t.map((r,o)=>o),t.forEach((r,o)=>{let{rank:a,place:c,of:l,id:u}=r.data,d=D("span",{class:"num"}),h=D("button",{type:"button",role:"option",class:a?`thumb ${a}`:"thumb","data-system":r.data.system},Sx(r,e),D("span",{class:"line"},D("b",{},a||`${c} of ${l}`),d),D("span",{class:"id"},u));h.addEventListener("click",()=>s(o)),this.buttons.push(h),this.numbers.push(d)}),t.some(r=>typeof r.data.surprise=="number")&&this.element.append(this.chooser()),this.element.append(this.list),this.sort("error")}systems;unit;element=D("div",{});order;list=D("div",{class:"gallery",role:"listbox","aria-label":"systems"});buttons=[];numbers=[];chooser(){let t=D("select",{id:"sort"});t.append(D("option",{value:"error"},"error, smallest first"),D("option",{value:"surprise"},"surprise, largest first"));let e=D("span",{hidden:!0},"Surprise: how far the truth ends from the nearest future, the mean over objects.");return t.addEventListener("change",()=>{e.hidden=t.value!=="surprise",this.sort(t.value)}),D("div",{class:"sort"},D("label",{},"sort by ",t),e)}sort(t){let e=n=>this.systems[n]?.data.surprise??-1;this.order=this.systems.map((n,s)=>s),t==="surprise"&&this.order.sort((n,s)=>e(s)-e(n)||n-s),this.systems.forEach(({data:n},s)=>{let r=t==="error"?Tn(n.mse):`${re(n.surprise,3)} ${this.unit}`.trim();this.numbers[s]?.replaceChildren(r)}),this.list.replaceChildren(...this.order.map(n=>this.buttons[n]??""))}next(t,e){let n=this.order.length;return this.order[((this.order.indexOf(t)+e)%n+n)%n]??0}mark(t){this.buttons.forEach((e,n)=>e.setAttribute("aria-selected",String(n===t)))}};var $o=[.25,.5,1,2,4],ul=class{time=0;duration=1;speed=1;playing=!1;listeners=[];previous=0;onChange(t){this.listeners.push(t)}reset(t,e){this.duration=t,this.time=e,this.changed()}seek(t){this.time=Math.min(Math.max(t,0),this.duration),this.changed()}toggle(){this.playing?this.pause():this.play()}play(){this.playing||(this.time>=this.duration&&(this.time=0),this.playing=!0,this.previous=performance.now(),requestAnimationFrame(this.frame),this.changed())}pause(){this.playing=!1,this.changed()}faster(t){let e=Math.min(Math.max($o.indexOf(this.speed)+t,0),$o.length-1);this.speed=$o[e]??1,this.changed()}frame=t=>{this.playing&&(this.time+=Math.max(0,t-this.previous)/1e3*this.speed*(this.duration/10),this.previous=t,this.time>=this.duration&&(this.time%=this.duration||1),this.changed(),requestAnimationFrame(this.frame))};changed(){for(let t of this.listeners)t()}};function Mx(i,t,e){let n=[],s=i.times.length,r=p=>p!==void 0&&!Number.isNaN(p);for(let p=0;p<s;++p){let[v,m,g]=[i.mean,i.low,i.high].map(y=>y[e]?.[t*s+p]);r(v)&&r(m)&&r(g)&&n.push({t:i.times[p]??0,mean:v,low:m,high:g})}let{times:o,drawn:a}=i.futures;o.forEach((p,v)=>{let m=a.map(g=>i.futures.value(t,g,e,v));m.length>0&&!m.some(Number.isNaN)&&n.push({t:p,futures:m})});let c=-1;for(let p=i.first(t);p<i.last(t);++p){let v=i.values[e]?.[p],m=i.seenTimes[p]??0;(!r(v)||p>i.first(t)&&i.isGap(t,p))&&c>=0&&n.push({t:(c+m)/2,truth:null}),c=m,r(v)&&n.push(i.isSeen(p)?{t:m,seen:v,truth:v}:{t:m,hidden:v,truth:v})}n.sort((p,v)=>p.t-v.t);let l=[],u=[];for(let p of n){let v=u[u.length-1];v&&p.t-v.t<1e-6*i.duration?Object.assign(v,{...p,t:v.t}):u.push({...p})}let d=i.data.begin;for(let p of u)l.push(d+p.t);let h=p=>u.map(v=>v[p]),f=a.map((p,v)=>u.map(m=>m.futures?.[v]));return[l,h("high"),h("low"),...f,h("mean"),h("truth"),h("hidden"),h("seen")]}var dl=class{constructor(t,e){this.player=e;t.features.forEach((n,s)=>{let r=D("div",{class:"chart",role:"img","aria-label":`${n.name} over time`}),o=D("span",{class:"readout"}),a=D("div",{class:"now"});this.plots.push(null),this.cursors.push(a);let c=l=>this.drawFeature(s,r,o,l);this.draws.push(c),this.places.push(r),Xo(r,c),this.element.append(D("figure",{class:"plot"},D("figcaption",{},D("b",{},Hr(n.name,n.unit)),o),r))})}player;element=D("div",{class:"series",id:"series"});system=null;object=0;plots=[];cursors=[];draws=[];places=[];show(t,e){this.system===t&&this.object===e||(this.system=t,this.object=e,this.draws.forEach((n,s)=>{let r=this.places[s]?.clientWidth??0;r>0&&n(r)}))}moveCursor(){let t=this.system;if(!t)return;let e=t.data.begin+this.player.time;this.plots.forEach((n,s)=>{let r=this.cursors[s];n&&r&&(r.style.transform=`translateX(${n.valToPos(e,"x")}px)`)})}drawFeature(t,e,n,s){let r=this.system;if(!r)return;this.plots[t]?.destroy();let o=Ne(),a=r.objects<=hs?gi(this.object):o.model,c={show:!1},l=(h,f,p)=>({paths:()=>null,points:{show:!0,size:p,fill:h,stroke:f,width:1.2}}),u=new gn({width:s,height:150,padding:[6,10,0,0],legend:{show:!1},cursor:{y:!1,points:{show:!1},drag:{x:!1,y:!1}},scales:{x:{time:!1,range:[r.data.begin,r.data.end]}},axes:[{...cu("",h=>re(h),26),labelSize:0},{...cu("",h=>re(h),52),labelSize:0}],bands:[{series:[1,2],fill:De(a,.2)}],series:[{},{stroke:De(a,.5),width:.6,points:c},{stroke:De(a,.5),width:.6,points:c},...r.futures.drawn.map(h=>({stroke:De(a,r.futures.opacity(this.object,h)),width:1,points:c})),{stroke:a,width:2,points:c},{stroke:De(o.truth,.55),width:1,dash:[4,3],points:c},l(o.panel,De(o.truth,.8),5),l(a,a,6)],hooks:{setCursor:[h=>{let f=h.cursor.left??-1;n.textContent=f<0?"":this.words(t,h.posToVal(f,"x"))}],draw:[h=>{if(!r.data.forecast)return;let f=h.valToPos(r.data.start,"x",!0);h.ctx.strokeStyle=o.muted,h.ctx.lineWidth=1,h.ctx.setLineDash([3,3]),h.ctx.beginPath(),h.ctx.moveTo(f,h.bbox.top),h.ctx.lineTo(f,h.bbox.top+h.bbox.height),h.ctx.stroke(),h.ctx.setLineDash([])}]}},Mx(r,this.object,t),e),d=this.cursors[t];d&&u.over.append(d),u.over.addEventListener("click",h=>this.player.seek(u.posToVal(h.offsetX,"x")-r.data.begin)),this.plots[t]=u,this.moveCursor()}words(t,e){let n=this.system;if(!n)return"";let s=n.read(this.object,t,e-n.data.begin),r=Number.isNaN(s.low)?"":` (${re(s.low,3)} to ${re(s.high,3)})`;return`t = ${re(e)}   truth ${re(s.truth)}   predicted ${re(s.mean)}${r}`}};var Fs=34,Zo=class{constructor(t){this.options=t;this.canvas.element.setAttribute("tabindex","0"),this.canvas.element.setAttribute("aria-label","the system in motion"),this.element=D("div",{class:"stage","data-kind":this.isPlane()?"plane":"line"},this.canvas.element,this.tooltip.element),!this.isPlane()&&t.positions.length>1&&this.element.append(this.chooser()),new ResizeObserver(()=>this.redraw()).observe(this.element),this.canvas.element.addEventListener("pointermove",e=>this.hover(e)),this.canvas.element.addEventListener("pointerleave",()=>this.tooltip.hide()),this.canvas.element.addEventListener("click",e=>{let n=this.nearest(e);n>=0&&this.options.select(n)})}options;element;canvas=new Us;tooltip=new qr;system=null;time=0;selected=0;feature=0;scale=null;withFutures=!0;still=null;isPlane(){return this.options.positions.length===2}chooser(){let t=D("select",{"aria-label":"feature"});return this.options.positions.forEach((e,n)=>t.append(D("option",{value:n},this.options.facts.features[e]?.name??""))),t.addEventListener("change",()=>{this.feature=Number(t.value),this.redraw()}),D("div",{class:"corner"},t)}showFutures(t){this.withFutures=t,this.draw(this.time,this.selected)}show(t){this.system=t,this.canvas.element.setAttribute("aria-label",cl(t,"the system in motion")),this.still=null,this.redraw()}redraw(){let t=this.element.clientWidth;t===0||!this.system||(this.canvas.fit(t,Math.round(Math.min(Math.max(t*.62,300),560))),this.still=null,this.draw(this.time,this.selected))}at(t,e){let n=this.scale;if(!n)return[NaN,NaN];let s=this.options.positions;return this.isPlane()?[n.x(e(s[0]??0)),n.y(e(s[1]??1))]:[n.x(t),n.y(e(s[this.feature]??0))]}layout(t){let{width:e,height:n}=this.canvas,s=this.options.positions,r=([p,v],m)=>{let g=v>p?m*(v-p):Math.max(1e-6,Math.abs(p)*.1,.5);return[p-g,v+g]},o=this.isPlane()?r(t.range(s[0]??0),.08):[-.7,t.objects-.3],a=r(t.range(s[this.isPlane()?1:this.feature]??0),.08),c=e-Fs-10,l=n-Fs-10,u=c/(o[1]-o[0]),d=l/(a[1]-a[0]);this.isPlane()&&(u=d=Math.min(u,d));let h=Fs+(c-u*(o[1]-o[0]))/2,f=10+(l-d*(a[1]-a[0]))/2;this.scale={x:p=>h+(p-o[0])*u,y:p=>f+(a[1]-p)*d,px:u,py:d}}colour(t){let e=this.system;return e&&e.objects<=hs?gi(t):t===this.selected?Ne().accent:Ne().model}polyline(t,e){t.beginPath(),this.trace(t,e),t.stroke()}trace(t,e){let n=!1;for(let[s,r]of e)Number.isNaN(s)||Number.isNaN(r)?n=!1:n?t.lineTo(s,r):(t.moveTo(s,r),n=!0)}axes(t){let e=this.scale;if(!e)return;let n=Ne(),{width:s,height:r}=this.canvas;t.font="11px system-ui, sans-serif",t.fillStyle=n.muted,t.strokeStyle=n.grid,t.lineWidth=1;let o=d=>{let h=80/d,f=10**Math.floor(Math.log10(h)),p=h/f;return f*(p<1.5?1:p<3.5?2:p<7.5?5:10)},a=this.options.positions.map(d=>this.options.facts.features[d]),c=o(e.py),l=(e.y(0)-0)/e.py;for(let d=Math.ceil((e.y(0)-r)/e.py/c);d*c<=l;++d){let h=e.y(d*c);h>r-Fs+6||(t.beginPath(),t.moveTo(Fs,h),t.lineTo(s,h),t.stroke(),t.textAlign="right",t.fillText(re(d*c),Fs-5,h+4))}if(t.textAlign="center",this.isPlane()){let d=o(e.px);for(let h=Math.ceil((Fs-e.x(0))/e.px/d);e.x(h*d)<=s;++h){let f=e.x(h*d);t.beginPath(),t.moveTo(f,0),t.lineTo(f,r-Fs+8),t.stroke(),t.fillText(re(h*d),f,r-16)}}else this.system&&this.system.objects<=40&&this.system.data.objects.ids.forEach((d,h)=>t.fillText(d.slice(0,10),e.x(h),r-16));let u=d=>d?Hr(d.name,d.unit):"";t.fillText(this.isPlane()?u(a[0]):"object",s/2,r-3),t.textAlign="left",t.fillText(u(a[this.isPlane()?1:this.feature]),4,12)}drawStill(t){let e=D("canvas",{width:this.canvas.element.width,height:this.canvas.element.height}),n=e.getContext("2d");if(!n||(n.setTransform(this.canvas.context.getTransform()),this.axes(n),!this.isPlane()))return e;if(t.objects>hs)this.drawStillMany(n,t);else for(let s=0;s<t.objects;++s)this.drawStillOne(n,t,s);return e}truePath(t,e){let n=[];for(let s=t.first(e);s<t.last(e);++s)s>t.first(e)&&t.isGap(e,s)&&n.push([NaN,NaN]),n.push(this.at(e,r=>t.values[r]?.[s]??NaN));return n}traceObserved(t,e,n,s){for(let r=e.first(n);r<e.last(n);++r){if(!e.isSeen(r))continue;let[o,a]=this.at(n,c=>e.values[c]?.[r]??NaN);Number.isNaN(o)||Number.isNaN(a)||(t.moveTo(o+s,a),t.arc(o,a,s,0,7))}}drawStillOne(t,e,n){t.strokeStyle=De(gi(n),.45),t.lineWidth=1.5,t.setLineDash([4,4]),this.polyline(t,this.truePath(e,n)),t.setLineDash([]),t.fillStyle=gi(n),t.beginPath(),this.traceObserved(t,e,n,2.6),t.fill()}drawStillMany(t,e){let n=e.times.length;t.strokeStyle=De(Ne().truth,.3),t.lineWidth=1,t.beginPath();for(let s=0;s<e.objects;++s)this.trace(t,this.truePath(e,s));t.stroke(),t.strokeStyle=De(Ne().model,.4),t.beginPath();for(let s=0;s<e.objects;++s)this.trace(t,Array.from({length:n},(r,o)=>this.at(s,a=>e.mean[a]?.[s*n+o]??NaN)));t.stroke(),t.fillStyle=De(Ne().truth,.45),t.beginPath();for(let s=0;s<e.objects;++s)this.traceObserved(t,e,s,1.2);t.fill()}drawPath(t,e,n,s){let r=e.times.length,o=[],a=[];for(let u=0;u<r;++u){let d=this.at(n,h=>e.mean[h]?.[n*r+u]??NaN);(e.times[u]??0)<=s?o.push(d):a.push(d)}let c=this.at(n,u=>e.predicted(n,u,s));o.push(c),a.unshift(c);let l=this.colour(n);t.lineWidth=1.2,t.strokeStyle=De(l,.3),this.polyline(t,a),t.lineWidth=2.4,t.strokeStyle=l,this.polyline(t,o)}drawFutures(t,e,n,s){if(!this.withFutures||s<e.startAt-1e-6)return;let r=e.futures;for(let o of r.drawn)t.strokeStyle=De(this.colour(n),r.opacity(n,o)),t.lineWidth=1.1,this.polyline(t,this.isPlane()?r.path(n,o,a=>this.at(n,a)):this.futureTick(e,n,o,s))}futureTick(t,e,n,s){let[r,o]=this.at(e,c=>t.futures.at(e,n,c,s)),a=Math.min(14,.3*(this.scale?.px??0));return[[r-a,o],[r+a,o]]}drawBand(t,e,n,s){let r=this.scale;if(!r)return;let[o,a]=[this.options.positions[0]??0,this.options.positions[1]??0],c=l=>{let u=e.read(n,o,l),d=e.read(n,a,l);Number.isNaN(u.low)||Number.isNaN(d.low)||(t.moveTo(r.x((u.low+u.high)/2)+r.px*(u.high-u.low)/2,r.y((d.low+d.high)/2)),t.ellipse(r.x((u.low+u.high)/2),r.y((d.low+d.high)/2),Math.max(0,r.px*(u.high-u.low)/2),Math.max(0,r.py*(d.high-d.low)/2),0,0,2*Math.PI))};t.beginPath();for(let l of e.times)l<=s&&c(l);c(s),t.fillStyle=De(this.colour(n),.13),t.fill("nonzero")}drawLineBand(t,e,n,s){let r=this.scale,o=this.options.positions[this.feature]??0;if(!r)return;let a=e.read(n,o,s);if(Number.isNaN(a.low))return;let c=Math.min(14,.3*r.px);t.fillStyle=De(this.colour(n),.25),t.fillRect(r.x(n)-c,r.y(a.high),2*c,r.y(a.low)-r.y(a.high))}drawRelations(t,e,n){let s=e.data.relations,r=s.length/3>200,o=Math.max(1,this.options.facts.relation_types.length),a=(c,l)=>{t.beginPath();for(let u=0;u+2<s.length;u+=3){let[d,h]=[s[u]??0,s[u+1]??0];if((s[u+2]??0)!==c||(d===this.selected||h===this.selected)!==l)continue;let f=n[d],p=n[h];!f||!p||Number.isNaN(f[0])||Number.isNaN(p[0])||(t.moveTo(f[0],f[1]),t.lineTo(p[0],p[1]))}t.strokeStyle=De(Ne().ink,l?.55:r?.12:.25),t.lineWidth=l?1.4:1,t.setLineDash(c>0?[2+2*c,3]:[]),t.stroke()};for(let c=0;c<o;++c)a(c,!1),a(c,!0);t.setLineDash([])}places(t,e){let n=[];for(let s=0;s<t.objects;++s){let r=this.at(s,o=>t.predicted(s,o,e));n.push(Number.isNaN(r[0])||Number.isNaN(r[1])?this.at(s,o=>t.truth(s,o,e)):r)}return n}draw(t,e){this.time=t,this.selected=e;let n=this.system,s=this.canvas.context;if(!n||this.canvas.width===0)return;this.still||(this.layout(n),this.still=this.drawStill(n)),s.save(),s.setTransform(1,0,0,1,0,0),s.clearRect(0,0,this.canvas.element.width,this.canvas.element.height),s.drawImage(this.still,0,0),s.restore();let r=this.places(n,t),o=n.objects>hs;for(let a=0;a<n.objects;++a)o&&a!==e||(this.isPlane()?this.drawBand(s,n,a,t):this.drawLineBand(s,n,a,t));this.drawRelations(s,n,r);for(let a=0;a<n.objects;++a)(!o||a===e)&&this.drawFutures(s,n,a,t);if(this.isPlane())for(let a=0;a<n.objects;++a)(!o||a===e)&&this.drawPath(s,n,a,t);o&&this.drawObjects(s,n,t);for(let a=0;a<n.objects;++a)(!o||a===e)&&this.drawObject(s,n,a,t,r[a]??[NaN,NaN])}drawObjects(t,e,n){let s=(r,o)=>{t.beginPath();for(let a=0;a<e.objects;++a){let[c,l]=this.at(a,u=>r(a,u));a===this.selected||Number.isNaN(c)||Number.isNaN(l)||(t.moveTo(c+o,l),t.arc(c,l,o,0,7))}};s((r,o)=>e.predicted(r,o,n),2.5),t.fillStyle=Ne().model,t.fill(),s((r,o)=>e.truth(r,o,n),4),t.strokeStyle=De(Ne().truth,.6),t.lineWidth=1,t.stroke()}drawObject(t,e,n,s,r){let o=n===this.selected?7:5.5,a=this.at(n,l=>e.predicted(n,l,s)),c=this.at(n,l=>e.truth(n,l,s));!Number.isNaN(a[0])&&!Number.isNaN(a[1])&&(t.fillStyle=this.colour(n),t.beginPath(),t.arc(r[0],r[1],o,0,7),t.fill()),!Number.isNaN(c[0])&&!Number.isNaN(c[1])&&(t.strokeStyle=Ne().truth,t.lineWidth=2,t.beginPath(),t.arc(c[0],c[1],o+1.5,0,7),t.stroke())}nearest(t){let e=this.system;if(!e)return-1;let n=this.canvas.element.getBoundingClientRect(),[s,r]=[t.clientX-n.left,t.clientY-n.top],o=-1,a=576;return this.places(e,this.time).forEach(([c,l],u)=>{let d=this.at(u,h=>e.truth(u,h,this.time));for(let[h,f]of[[c,l],d]){let p=((h??NaN)-s)**2+((f??NaN)-r)**2;p<a&&([o,a]=[u,p])}}),o}hover(t){let e=this.nearest(t);if(e<0||!this.system)return this.tooltip.hide();let n=this.canvas.element.getBoundingClientRect();this.tooltip.show(this.system,e,this.time,this.options.facts,t.clientX-n.left,t.clientY-n.top)}};var fl=class{constructor(t){this.canvas=t;let e=t.element;e.addEventListener("pointerdown",n=>e.setPointerCapture(n.pointerId)),e.addEventListener("pointermove",n=>{n.buttons&1&&this.turn(-.008*n.movementX,.008*n.movementY)}),e.addEventListener("wheel",n=>{n.preventDefault(),this.zoom=Math.min(Math.max(this.zoom*Math.exp(-.001*n.deltaY),.2),10),this.draw(this.time,this.selected)},{passive:!1})}canvas;turned=.65;tilt=.25;zoom=1;space=null;time=0;selected=0;withFutures=!0;showFutures(t){this.withFutures=t,this.draw(this.time,this.selected)}show(t){this.space=t}turn(t,e){this.turned+=t,this.tilt=Math.min(Math.max(this.tilt+e,-1.4),1.4),this.draw(this.time,this.selected)}project(t){let e=this.space;if(!e)return[NaN,NaN];let[n,s,r]=[t[0]-e.centre[0],t[1]-e.centre[1],t[2]-e.centre[2]],o=n*Math.cos(this.turned)+s*Math.sin(this.turned),a=s*Math.cos(this.turned)-n*Math.sin(this.turned),c=r*Math.cos(this.tilt)+a*Math.sin(this.tilt),l=this.zoom*.46*Math.min(this.canvas.width,this.canvas.height)/e.radius;return[this.canvas.width/2+l*o,this.canvas.height/2-l*c]}draw(t,e){[this.time,this.selected]=[t,e];let n=this.space,s=this.canvas.context;if(!n||this.canvas.width===0)return;s.clearRect(0,0,this.canvas.width,this.canvas.height);let r=Ne();s.lineCap="round";let o=(l,u,d)=>{s.strokeStyle=u,s.lineWidth=d,s.beginPath(),l.filter(Hn).forEach((h,f)=>{let[p,v]=this.project(h);f===0?s.moveTo(p,v):s.lineTo(p,v)}),s.stroke()};o(n.truePath(e),De(r.truth,.5),1);let a=n.system.futures;if(this.withFutures&&t>=n.system.startAt-1e-6)for(let l of a.drawn)o(n.futurePath(e,l),De(r.accent,a.opacity(e,l)),1);o(n.predictedPath(e),De(r.accent,.8),1.5);let c=(l,u,d)=>{s.strokeStyle=s.fillStyle=u;for(let[h,f]of n.bones){let[p,v]=[l[h],l[f]];p&&v&&Hn(p)&&Hn(v)&&o([p,v],u,d)}l.forEach((h,f)=>{if(!Hn(h))return;let[p,v]=this.project(h);s.beginPath(),s.arc(p,v,f===e?6:d*.9,0,7),s.fill()})};c(n.truth(t),De(r.truth,.6),5),c(n.predicted(t),r.model,3)}};var Ys={LEFT:0,MIDDLE:1,RIGHT:2,ROTATE:0,DOLLY:1,PAN:2},$s={ROTATE:0,PAN:1,DOLLY_PAN:2,DOLLY_ROTATE:3},ym=0,Vu=1,bm=2;var Pa=1,Sm=2,yo=3,Zs=0,$n=1,ji=2,gr=0,bo=1,Gu=2,Hu=3,Wu=4,Mm=5;var _r=100,wm=101,Tm=102,Em=103,Am=104,Rm=200,Cm=201,Pm=202,Im=203,Xu=204,qu=205,Lm=206,Nm=207,Dm=208,Um=209,Fm=210,Om=211,Bm=212,km=213,zm=214,kl=0,zl=1,Vl=2,lo=3,Gl=4,Hl=5,Wl=6,Xl=7,_c=0,Vm=1,Gm=2,Qi=0,Yu=1,$u=2,Zu=3,Ju=4,Ku=5,ju=6,Qu=7;var td=300,xr=301,So=302,xc=303,vc=304,ql=1e3,Zi=1001,Yl=1002,Rn=1003,Hm=1004;var Ia=1005;var Xn=1006,yc=1007;var Ss=1008;var jn=1009,ed=1010,nd=1011,Mo=1012,bc=1013,Fi=1014,Si=1015,Oi=1016,Sc=1017,Mc=1018,vr=1020,id=35902,sd=35899,rd=1021,od=1022,Bi=1023,_s=1026,Ms=1027,wc=1028,Tc=1029,Js=1030,Ec=1031;var Ac=1033,La=33776,Na=33777,Da=33778,Ua=33779,Rc=35840,Cc=35841,Pc=35842,Ic=35843,Lc=36196,Nc=37492,Dc=37496,Uc=37488,Fc=37489,Fa=37490,Oc=37491,Bc=37808,kc=37809,zc=37810,Vc=37811,Gc=37812,Hc=37813,Wc=37814,Xc=37815,qc=37816,Yc=37817,$c=37818,Zc=37819,Jc=37820,Kc=37821,jc=36492,Qc=36494,th=36495,eh=36283,nh=36284,Oa=36285,ih=36286;var oa=2300,$l=2301,Ol=2302,Du=2303,Uu=2400,Fu=2401,Ou=2402;var Wm=3200;var sh=0,Xm=1,ws="",ci="srgb",aa="srgb-linear",la="linear",Ae="srgb";var Bl=7680;var qm=519,Ym=512,$m=513,Zm=514,ad=515,Jm=516,Km=517,ld=518,cd=519,jm=35044;var hd="300 es",bi=2e3,co=2001;function wx(i){for(let t=i.length-1;t>=0;--t)if(i[t]>=65535)return!0;return!1}function Tx(i){return ArrayBuffer.isView(i)&&!(i instanceof DataView)}function ca(i){return document.createElementNS("http://www.w3.org/1999/xhtml",i)}function Qm(){let i=ca("canvas");return i.style.display="block",i}var Wp={},ho=null;function ud(...i){let t="THREE."+i.shift();ho?ho("log",t,...i):console.log(t,...i)}function tg(i){let t=i[0];if(typeof t=="string"&&t.startsWith("TSL:")){let e=i[1];e&&e.isStackTrace?i[0]+=" "+e.getLocation():i[1]='Stack trace not available. Enable "THREE.Node.captureStackTrace" to capture stack traces.'}return i}function qt(...i){i=tg(i);let t="THREE."+i.shift();if(ho)ho("warn",t,...i);else{let e=i[0];e&&e.isStackTrace?console.warn(e.getError(t)):console.warn(t,...i)}}function Qt(...i){i=tg(i);let t="THREE."+i.shift();if(ho)ho("error",t,...i);else{let e=i[0];e&&e.isStackTrace?console.error(e.getError(t)):console.error(t,...i)}}function ia(...i){let t=i.join(" ");t in Wp||(Wp[t]=!0,qt(...i))}function eg(i,t,e){return new Promise(function(n,s){function r(){switch(i.clientWaitSync(t,i.SYNC_FLUSH_COMMANDS_BIT,0)){case i.WAIT_FAILED:s();break;case i.TIMEOUT_EXPIRED:setTimeout(r,e);break;default:n()}}setTimeout(r,e)})}var ng={[kl]:kl,[Vl]:Wl,[Gl]:Gl,[lo]:Hl,[zl]:zl,[Wl]:Vl,[Xl]:Xl,[Hl]:lo},Ui=class{addEventListener(t,e){this._listeners===void 0&&(this._listeners={});let n=this._listeners;n[t]===void 0&&(n[t]=[]),n[t].indexOf(e)===-1&&n[t].push(e)}hasEventListener(t,e){let n=this._listeners;return n===void 0?!1:n[t]!==void 0&&n[t].indexOf(e)!==-1}removeEventListener(t,e){let n=this._listeners;if(n===void 0)return;let s=n[t];if(s!==void 0){let r=s.indexOf(e);r!==-1&&s.splice(r,1)}}dispatchEvent(t){let e=this._listeners;if(e===void 0)return;let n=e[t.type];if(n!==void 0){t.target=this;let s=n.slice(0);for(let r=0,o=s.length;r<o;r++)s[r].call(this,t);t.target=null}}},Ln=["00","01","02","03","04","05","06","07","08","09","0a","0b","0c","0d","0e","0f","10","11","12","13","14","15","16","17","18","19","1a","1b","1c","1d","1e","1f","20","21","22","23","24","25","26","27","28","29","2a","2b","2c","2d","2e","2f","30","31","32","33","34","35","36","37","38","39","3a","3b","3c","3d","3e","3f","40","41","42","43","44","45","46","47","48","49","4a","4b","4c","4d","4e","4f","50","51","52","53","54","55","56","57","58","59","5a","5b","5c","5d","5e","5f","60","61","62","63","64","65","66","67","68","69","6a","6b","6c","6d","6e","6f","70","71","72","73","74","75","76","77","78","79","7a","7b","7c","7d","7e","7f","80","81","82","83","84","85","86","87","88","89","8a","8b","8c","8d","8e","8f","90","91","92","93","94","95","96","97","98","99","9a","9b","9c","9d","9e","9f","a0","a1","a2","a3","a4","a5","a6","a7","a8","a9","aa","ab","ac","ad","ae","af","b0","b1","b2","b3","b4","b5","b6","b7","b8","b9","ba","bb","bc","bd","be","bf","c0","c1","c2","c3","c4","c5","c6","c7","c8","c9","ca","cb","cc","cd","ce","cf","d0","d1","d2","d3","d4","d5","d6","d7","d8","d9","da","db","dc","dd","de","df","e0","e1","e2","e3","e4","e5","e6","e7","e8","e9","ea","eb","ec","ed","ee","ef","f0","f1","f2","f3","f4","f5","f6","f7","f8","f9","fa","fb","fc","fd","fe","ff"],Xp=1234567,sa=Math.PI/180,uo=180/Math.PI;function wo(){let i=Math.random()*4294967295|0,t=Math.random()*4294967295|0,e=Math.random()*4294967295|0,n=Math.random()*4294967295|0;return(Ln[i&255]+Ln[i>>8&255]+Ln[i>>16&255]+Ln[i>>24&255]+"-"+Ln[t&255]+Ln[t>>8&255]+"-"+Ln[t>>16&15|64]+Ln[t>>24&255]+"-"+Ln[e&63|128]+Ln[e>>8&255]+"-"+Ln[e>>16&255]+Ln[e>>24&255]+Ln[n&255]+Ln[n>>8&255]+Ln[n>>16&255]+Ln[n>>24&255]).toLowerCase()}function pe(i,t,e){return Math.max(t,Math.min(e,i))}function dd(i,t){return(i%t+t)%t}function Ex(i,t,e,n,s){return n+(i-t)*(s-n)/(e-t)}function Ax(i,t,e){return i!==t?(e-i)/(t-i):0}function ra(i,t,e){return(1-e)*i+e*t}function Rx(i,t,e,n){return ra(i,t,1-Math.exp(-e*n))}function Cx(i,t=1){return t-Math.abs(dd(i,t*2)-t)}function Px(i,t,e){return i<=t?0:i>=e?1:(i=(i-t)/(e-t),i*i*(3-2*i))}function Ix(i,t,e){return i<=t?0:i>=e?1:(i=(i-t)/(e-t),i*i*i*(i*(i*6-15)+10))}function Lx(i,t){return i+Math.floor(Math.random()*(t-i+1))}function Nx(i,t){return i+Math.random()*(t-i)}function Dx(i){return i*(.5-Math.random())}function Ux(i){i!==void 0&&(Xp=i);let t=Xp+=1831565813;return t=Math.imul(t^t>>>15,t|1),t^=t+Math.imul(t^t>>>7,t|61),((t^t>>>14)>>>0)/4294967296}function Fx(i){return i*sa}function Ox(i){return i*uo}function Bx(i){return i>0&&Number.isInteger(i)&&2**Math.round(Math.log2(i))===i}function kx(i){return Math.pow(2,Math.ceil(Math.log(i)/Math.LN2))}function fd(i){return Math.pow(2,Math.floor(Math.log(i)/Math.LN2))}function zx(i,t,e,n,s){let r=Math.cos,o=Math.sin,a=r(e/2),c=o(e/2),l=r((t+n)/2),u=o((t+n)/2),d=r((t-n)/2),h=o((t-n)/2),f=r((n-t)/2),p=o((n-t)/2);switch(s){case"XYX":i.set(a*u,c*d,c*h,a*l);break;case"YZY":i.set(c*h,a*u,c*d,a*l);break;case"ZXZ":i.set(c*d,c*h,a*u,a*l);break;case"XZX":i.set(a*u,c*p,c*f,a*l);break;case"YXY":i.set(c*f,a*u,c*p,a*l);break;case"ZYZ":i.set(c*p,c*f,a*u,a*l);break;default:qt("MathUtils: .setQuaternionFromProperEuler() encountered an unknown order: "+s)}}function pd(i){switch(i.constructor){case Uint32Array:return 4294967295;case Uint16Array:return 65535;case Uint8Array:case Uint8ClampedArray:return 255;case Int32Array:return 2147483647;case Int16Array:return 32767;case Int8Array:return 127;default:return}}function ig(i,t){if(t.constructor===Float32Array)return i;let e=pd(t);if(e===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.max(i/e,-1)}function sg(i,t){if(t.constructor===Float32Array)return i;let e=pd(t);if(e===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.round(i*e)}var md={DEG2RAD:sa,RAD2DEG:uo,generateUUID:wo,clamp:pe,euclideanModulo:dd,mapLinear:Ex,inverseLerp:Ax,lerp:ra,damp:Rx,pingpong:Cx,smoothstep:Px,smootherstep:Ix,randInt:Lx,randFloat:Nx,randFloatSpread:Dx,seededRandom:Ux,degToRad:Fx,radToDeg:Ox,isPowerOfTwo:Bx,ceilPowerOfTwo:kx,floorPowerOfTwo:fd,setQuaternionFromProperEuler:zx,normalize:sg,denormalize:ig},Kt=class{static{this.prototype.isVector2=!0}constructor(t=0,e=0){this.x=t,this.y=e}get width(){return this.x}set width(t){this.x=t}get height(){return this.y}set height(t){this.y=t}set(t,e){return this.x=t,this.y=e,this}setScalar(t){return this.x=t,this.y=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;default:throw new Error("THREE.Vector2: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;default:throw new Error("THREE.Vector2: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y)}copy(t){return this.x=t.x,this.y=t.y,this}add(t){return this.x+=t.x,this.y+=t.y,this}addScalar(t){return this.x+=t,this.y+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this}subScalar(t){return this.x-=t,this.y-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this}multiply(t){return this.x*=t.x,this.y*=t.y,this}multiplyScalar(t){return this.x*=t,this.y*=t,this}divide(t){return this.x/=t.x,this.y/=t.y,this}divideScalar(t){return this.multiplyScalar(1/t)}applyMatrix3(t){let e=this.x,n=this.y,s=t.elements;return this.x=s[0]*e+s[3]*n+s[6],this.y=s[1]*e+s[4]*n+s[7],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this}clamp(t,e){return this.x=pe(this.x,t.x,e.x),this.y=pe(this.y,t.y,e.y),this}clampScalar(t,e){return this.x=pe(this.x,t,e),this.y=pe(this.y,t,e),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(pe(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this}negate(){return this.x=-this.x,this.y=-this.y,this}dot(t){return this.x*t.x+this.y*t.y}cross(t){return this.x*t.y-this.y*t.x}lengthSq(){return this.x*this.x+this.y*this.y}length(){return Math.sqrt(this.x*this.x+this.y*this.y)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)}normalize(){return this.divideScalar(this.length()||1)}angle(){return Math.atan2(-this.y,-this.x)+Math.PI}angleTo(t){let e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;let n=this.dot(t)/e;return Math.acos(pe(n,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){let e=this.x-t.x,n=this.y-t.y;return e*e+n*n}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this}equals(t){return t.x===this.x&&t.y===this.y}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this}rotateAround(t,e){let n=Math.cos(e),s=Math.sin(e),r=this.x-t.x,o=this.y-t.y;return this.x=r*n-o*s+t.x,this.y=r*s+o*n+t.y,this}random(){return this.x=Math.random(),this.y=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y}},qn=class{constructor(t=0,e=0,n=0,s=1){this.isQuaternion=!0,this._x=t,this._y=e,this._z=n,this._w=s}static slerpFlat(t,e,n,s,r,o,a){let c=n[s+0],l=n[s+1],u=n[s+2],d=n[s+3],h=r[o+0],f=r[o+1],p=r[o+2],v=r[o+3];if(d!==v||c!==h||l!==f||u!==p){let m=c*h+l*f+u*p+d*v;m<0&&(h=-h,f=-f,p=-p,v=-v,m=-m);let g=1-a;if(m<.9995){let y=Math.acos(m),A=Math.sin(y);g=Math.sin(g*y)/A,a=Math.sin(a*y)/A,c=c*g+h*a,l=l*g+f*a,u=u*g+p*a,d=d*g+v*a}else{c=c*g+h*a,l=l*g+f*a,u=u*g+p*a,d=d*g+v*a;let y=1/Math.sqrt(c*c+l*l+u*u+d*d);c*=y,l*=y,u*=y,d*=y}}t[e]=c,t[e+1]=l,t[e+2]=u,t[e+3]=d}static multiplyQuaternionsFlat(t,e,n,s,r,o){let a=n[s],c=n[s+1],l=n[s+2],u=n[s+3],d=r[o],h=r[o+1],f=r[o+2],p=r[o+3];return t[e]=a*p+u*d+c*f-l*h,t[e+1]=c*p+u*h+l*d-a*f,t[e+2]=l*p+u*f+a*h-c*d,t[e+3]=u*p-a*d-c*h-l*f,t}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get w(){return this._w}set w(t){this._w=t,this._onChangeCallback()}set(t,e,n,s){return this._x=t,this._y=e,this._z=n,this._w=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._w)}copy(t){return this._x=t.x,this._y=t.y,this._z=t.z,this._w=t.w,this._onChangeCallback(),this}setFromEuler(t,e=!0){let n=t._x,s=t._y,r=t._z,o=t._order,a=Math.cos,c=Math.sin,l=a(n/2),u=a(s/2),d=a(r/2),h=c(n/2),f=c(s/2),p=c(r/2);switch(o){case"XYZ":this._x=h*u*d+l*f*p,this._y=l*f*d-h*u*p,this._z=l*u*p+h*f*d,this._w=l*u*d-h*f*p;break;case"YXZ":this._x=h*u*d+l*f*p,this._y=l*f*d-h*u*p,this._z=l*u*p-h*f*d,this._w=l*u*d+h*f*p;break;case"ZXY":this._x=h*u*d-l*f*p,this._y=l*f*d+h*u*p,this._z=l*u*p+h*f*d,this._w=l*u*d-h*f*p;break;case"ZYX":this._x=h*u*d-l*f*p,this._y=l*f*d+h*u*p,this._z=l*u*p-h*f*d,this._w=l*u*d+h*f*p;break;case"YZX":this._x=h*u*d+l*f*p,this._y=l*f*d+h*u*p,this._z=l*u*p-h*f*d,this._w=l*u*d-h*f*p;break;case"XZY":this._x=h*u*d-l*f*p,this._y=l*f*d-h*u*p,this._z=l*u*p+h*f*d,this._w=l*u*d+h*f*p;break;default:qt("Quaternion: .setFromEuler() encountered an unknown order: "+o)}return e===!0&&this._onChangeCallback(),this}setFromAxisAngle(t,e){let n=e/2,s=Math.sin(n);return this._x=t.x*s,this._y=t.y*s,this._z=t.z*s,this._w=Math.cos(n),this._onChangeCallback(),this}setFromRotationMatrix(t){let e=t.elements,n=e[0],s=e[4],r=e[8],o=e[1],a=e[5],c=e[9],l=e[2],u=e[6],d=e[10],h=n+a+d;if(h>0){let f=.5/Math.sqrt(h+1);this._w=.25/f,this._x=(u-c)*f,this._y=(r-l)*f,this._z=(o-s)*f}else if(n>a&&n>d){let f=2*Math.sqrt(1+n-a-d);this._w=(u-c)/f,this._x=.25*f,this._y=(s+o)/f,this._z=(r+l)/f}else if(a>d){let f=2*Math.sqrt(1+a-n-d);this._w=(r-l)/f,this._x=(s+o)/f,this._y=.25*f,this._z=(c+u)/f}else{let f=2*Math.sqrt(1+d-n-a);this._w=(o-s)/f,this._x=(r+l)/f,this._y=(c+u)/f,this._z=.25*f}return this._onChangeCallback(),this}setFromUnitVectors(t,e){let n=t.dot(e)+1;return n<1e-8?(n=0,Math.abs(t.x)>Math.abs(t.z)?(this._x=-t.y,this._y=t.x,this._z=0,this._w=n):(this._x=0,this._y=-t.z,this._z=t.y,this._w=n)):(this._x=t.y*e.z-t.z*e.y,this._y=t.z*e.x-t.x*e.z,this._z=t.x*e.y-t.y*e.x,this._w=n),this.normalize()}angleTo(t){return 2*Math.acos(Math.abs(pe(this.dot(t),-1,1)))}rotateTowards(t,e){let n=this.angleTo(t);if(n===0)return this;let s=Math.min(1,e/n);return this.slerp(t,s),this}identity(){return this.set(0,0,0,1)}invert(){return this.conjugate()}conjugate(){return this._x*=-1,this._y*=-1,this._z*=-1,this._onChangeCallback(),this}dot(t){return this._x*t._x+this._y*t._y+this._z*t._z+this._w*t._w}lengthSq(){return this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w}length(){return Math.sqrt(this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w)}normalize(){let t=this.length();return t===0?(this._x=0,this._y=0,this._z=0,this._w=1):(t=1/t,this._x=this._x*t,this._y=this._y*t,this._z=this._z*t,this._w=this._w*t),this._onChangeCallback(),this}multiply(t){return this.multiplyQuaternions(this,t)}premultiply(t){return this.multiplyQuaternions(t,this)}multiplyQuaternions(t,e){let n=t._x,s=t._y,r=t._z,o=t._w,a=e._x,c=e._y,l=e._z,u=e._w;return this._x=n*u+o*a+s*l-r*c,this._y=s*u+o*c+r*a-n*l,this._z=r*u+o*l+n*c-s*a,this._w=o*u-n*a-s*c-r*l,this._onChangeCallback(),this}slerp(t,e){let n=t._x,s=t._y,r=t._z,o=t._w,a=this.dot(t);a<0&&(n=-n,s=-s,r=-r,o=-o,a=-a);let c=1-e;if(a<.9995){let l=Math.acos(a),u=Math.sin(l);c=Math.sin(c*l)/u,e=Math.sin(e*l)/u,this._x=this._x*c+n*e,this._y=this._y*c+s*e,this._z=this._z*c+r*e,this._w=this._w*c+o*e,this._onChangeCallback()}else this._x=this._x*c+n*e,this._y=this._y*c+s*e,this._z=this._z*c+r*e,this._w=this._w*c+o*e,this.normalize();return this}slerpQuaternions(t,e,n){return this.copy(t).slerp(e,n)}random(){let t=2*Math.PI*Math.random(),e=2*Math.PI*Math.random(),n=Math.random(),s=Math.sqrt(1-n),r=Math.sqrt(n);return this.set(s*Math.sin(t),s*Math.cos(t),r*Math.sin(e),r*Math.cos(e))}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._w===this._w}fromArray(t,e=0){return this._x=t[e],this._y=t[e+1],this._z=t[e+2],this._w=t[e+3],this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._w,t}fromBufferAttribute(t,e){return this._x=t.getX(e),this._y=t.getY(e),this._z=t.getZ(e),this._w=t.getW(e),this._onChangeCallback(),this}toJSON(){return this.toArray()}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._w}},X=class{static{this.prototype.isVector3=!0}constructor(t=0,e=0,n=0){this.x=t,this.y=e,this.z=n}set(t,e,n){return n===void 0&&(n=this.z),this.x=t,this.y=e,this.z=n,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;default:throw new Error("THREE.Vector3: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;default:throw new Error("THREE.Vector3: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this}multiplyVectors(t,e){return this.x=t.x*e.x,this.y=t.y*e.y,this.z=t.z*e.z,this}applyEuler(t){return this.applyQuaternion(qp.setFromEuler(t))}applyAxisAngle(t,e){return this.applyQuaternion(qp.setFromAxisAngle(t,e))}applyMatrix3(t){let e=this.x,n=this.y,s=this.z,r=t.elements;return this.x=r[0]*e+r[3]*n+r[6]*s,this.y=r[1]*e+r[4]*n+r[7]*s,this.z=r[2]*e+r[5]*n+r[8]*s,this}applyNormalMatrix(t){return this.applyMatrix3(t).normalize()}applyMatrix4(t){let e=this.x,n=this.y,s=this.z,r=t.elements,o=1/(r[3]*e+r[7]*n+r[11]*s+r[15]);return this.x=(r[0]*e+r[4]*n+r[8]*s+r[12])*o,this.y=(r[1]*e+r[5]*n+r[9]*s+r[13])*o,this.z=(r[2]*e+r[6]*n+r[10]*s+r[14])*o,this}applyQuaternion(t){let e=this.x,n=this.y,s=this.z,r=t.x,o=t.y,a=t.z,c=t.w,l=2*(o*s-a*n),u=2*(a*e-r*s),d=2*(r*n-o*e);return this.x=e+c*l+o*d-a*u,this.y=n+c*u+a*l-r*d,this.z=s+c*d+r*u-o*l,this}project(t){return this.applyMatrix4(t.matrixWorldInverse).applyMatrix4(t.projectionMatrix)}unproject(t){return this.applyMatrix4(t.projectionMatrixInverse).applyMatrix4(t.matrixWorld)}transformDirection(t){let e=this.x,n=this.y,s=this.z,r=t.elements;return this.x=r[0]*e+r[4]*n+r[8]*s,this.y=r[1]*e+r[5]*n+r[9]*s,this.z=r[2]*e+r[6]*n+r[10]*s,this.normalize()}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this}divideScalar(t){return this.multiplyScalar(1/t)}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this}clamp(t,e){return this.x=pe(this.x,t.x,e.x),this.y=pe(this.y,t.y,e.y),this.z=pe(this.z,t.z,e.z),this}clampScalar(t,e){return this.x=pe(this.x,t,e),this.y=pe(this.y,t,e),this.z=pe(this.z,t,e),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(pe(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this.z=t.z+(e.z-t.z)*n,this}cross(t){return this.crossVectors(this,t)}crossVectors(t,e){let n=t.x,s=t.y,r=t.z,o=e.x,a=e.y,c=e.z;return this.x=s*c-r*a,this.y=r*o-n*c,this.z=n*a-s*o,this}projectOnVector(t){let e=t.lengthSq();if(e===0)return this.set(0,0,0);let n=t.dot(this)/e;return this.copy(t).multiplyScalar(n)}projectOnPlane(t){return fu.copy(this).projectOnVector(t),this.sub(fu)}reflect(t){return this.sub(fu.copy(t).multiplyScalar(2*this.dot(t)))}angleTo(t){let e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;let n=this.dot(t)/e;return Math.acos(pe(n,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){let e=this.x-t.x,n=this.y-t.y,s=this.z-t.z;return e*e+n*n+s*s}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)+Math.abs(this.z-t.z)}setFromSpherical(t){return this.setFromSphericalCoords(t.radius,t.phi,t.theta)}setFromSphericalCoords(t,e,n){let s=Math.sin(e)*t;return this.x=s*Math.sin(n),this.y=Math.cos(e)*t,this.z=s*Math.cos(n),this}setFromCylindrical(t){return this.setFromCylindricalCoords(t.radius,t.theta,t.y)}setFromCylindricalCoords(t,e,n){return this.x=t*Math.sin(e),this.y=n,this.z=t*Math.cos(e),this}setFromMatrixPosition(t){let e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this}setFromMatrixScale(t){let e=this.setFromMatrixColumn(t,0).length(),n=this.setFromMatrixColumn(t,1).length(),s=this.setFromMatrixColumn(t,2).length();return this.x=e,this.y=n,this.z=s,this}setFromMatrixColumn(t,e){return this.fromArray(t.elements,e*4)}setFromMatrix3Column(t,e){return this.fromArray(t.elements,e*3)}setFromEuler(t){return this.x=t._x,this.y=t._y,this.z=t._z,this}setFromColor(t){return this.x=t.r,this.y=t.g,this.z=t.b,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this}randomDirection(){let t=Math.random()*Math.PI*2,e=Math.random()*2-1,n=Math.sqrt(1-e*e);return this.x=n*Math.cos(t),this.y=e,this.z=n*Math.sin(t),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z}},fu=new X,qp=new qn,te=class{static{this.prototype.isMatrix3=!0}constructor(t,e,n,s,r,o,a,c,l){this.elements=[1,0,0,0,1,0,0,0,1],t!==void 0&&this.set(t,e,n,s,r,o,a,c,l)}set(t,e,n,s,r,o,a,c,l){let u=this.elements;return u[0]=t,u[1]=s,u[2]=a,u[3]=e,u[4]=r,u[5]=c,u[6]=n,u[7]=o,u[8]=l,this}identity(){return this.set(1,0,0,0,1,0,0,0,1),this}copy(t){let e=this.elements,n=t.elements;return e[0]=n[0],e[1]=n[1],e[2]=n[2],e[3]=n[3],e[4]=n[4],e[5]=n[5],e[6]=n[6],e[7]=n[7],e[8]=n[8],this}extractBasis(t,e,n){return t.setFromMatrix3Column(this,0),e.setFromMatrix3Column(this,1),n.setFromMatrix3Column(this,2),this}setFromMatrix4(t){let e=t.elements;return this.set(e[0],e[4],e[8],e[1],e[5],e[9],e[2],e[6],e[10]),this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){let n=t.elements,s=e.elements,r=this.elements,o=n[0],a=n[3],c=n[6],l=n[1],u=n[4],d=n[7],h=n[2],f=n[5],p=n[8],v=s[0],m=s[3],g=s[6],y=s[1],A=s[4],w=s[7],P=s[2],E=s[5],x=s[8];return r[0]=o*v+a*y+c*P,r[3]=o*m+a*A+c*E,r[6]=o*g+a*w+c*x,r[1]=l*v+u*y+d*P,r[4]=l*m+u*A+d*E,r[7]=l*g+u*w+d*x,r[2]=h*v+f*y+p*P,r[5]=h*m+f*A+p*E,r[8]=h*g+f*w+p*x,this}multiplyScalar(t){let e=this.elements;return e[0]*=t,e[3]*=t,e[6]*=t,e[1]*=t,e[4]*=t,e[7]*=t,e[2]*=t,e[5]*=t,e[8]*=t,this}determinant(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],c=t[6],l=t[7],u=t[8];return e*o*u-e*a*l-n*r*u+n*a*c+s*r*l-s*o*c}invert(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],c=t[6],l=t[7],u=t[8],d=u*o-a*l,h=a*c-u*r,f=l*r-o*c,p=e*d+n*h+s*f;if(p===0)return this.set(0,0,0,0,0,0,0,0,0);let v=1/p;return t[0]=d*v,t[1]=(s*l-u*n)*v,t[2]=(a*n-s*o)*v,t[3]=h*v,t[4]=(u*e-s*c)*v,t[5]=(s*r-a*e)*v,t[6]=f*v,t[7]=(n*c-l*e)*v,t[8]=(o*e-n*r)*v,this}transpose(){let t,e=this.elements;return t=e[1],e[1]=e[3],e[3]=t,t=e[2],e[2]=e[6],e[6]=t,t=e[5],e[5]=e[7],e[7]=t,this}getNormalMatrix(t){return this.setFromMatrix4(t).invert().transpose()}transposeIntoArray(t){let e=this.elements;return t[0]=e[0],t[1]=e[3],t[2]=e[6],t[3]=e[1],t[4]=e[4],t[5]=e[7],t[6]=e[2],t[7]=e[5],t[8]=e[8],this}setUvTransform(t,e,n,s,r,o,a){let c=Math.cos(r),l=Math.sin(r);return this.set(n*c,n*l,-n*(c*o+l*a)+o+t,-s*l,s*c,-s*(-l*o+c*a)+a+e,0,0,1),this}scale(t,e){return ia("Matrix3: .scale() is deprecated. Use .makeScale() instead."),this.premultiply(pu.makeScale(t,e)),this}rotate(t){return ia("Matrix3: .rotate() is deprecated. Use .makeRotation() instead."),this.premultiply(pu.makeRotation(-t)),this}translate(t,e){return ia("Matrix3: .translate() is deprecated. Use .makeTranslation() instead."),this.premultiply(pu.makeTranslation(t,e)),this}makeTranslation(t,e){return t.isVector2?this.set(1,0,t.x,0,1,t.y,0,0,1):this.set(1,0,t,0,1,e,0,0,1),this}makeRotation(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,-n,0,n,e,0,0,0,1),this}makeScale(t,e){return this.set(t,0,0,0,e,0,0,0,1),this}equals(t){let e=this.elements,n=t.elements;for(let s=0;s<9;s++)if(e[s]!==n[s])return!1;return!0}fromArray(t,e=0){for(let n=0;n<9;n++)this.elements[n]=t[n+e];return this}toArray(t=[],e=0){let n=this.elements;return t[e]=n[0],t[e+1]=n[1],t[e+2]=n[2],t[e+3]=n[3],t[e+4]=n[4],t[e+5]=n[5],t[e+6]=n[6],t[e+7]=n[7],t[e+8]=n[8],t}clone(){return new this.constructor().fromArray(this.elements)}},pu=new te,Yp=new te().set(.4123908,.3575843,.1804808,.212639,.7151687,.0721923,.0193308,.1191948,.9505322),$p=new te().set(3.2409699,-1.5373832,-.4986108,-.9692436,1.8759675,.0415551,.0556301,-.203977,1.0569715);function Vx(){let i={enabled:!0,workingColorSpace:aa,spaces:{},convert:function(s,r,o){return this.enabled===!1||r===o||!r||!o||(this.spaces[r].transfer===Ae&&(s.r=gs(s.r),s.g=gs(s.g),s.b=gs(s.b)),this.spaces[r].primaries!==this.spaces[o].primaries&&(s.applyMatrix3(this.spaces[r].toXYZ),s.applyMatrix3(this.spaces[o].fromXYZ)),this.spaces[o].transfer===Ae&&(s.r=ao(s.r),s.g=ao(s.g),s.b=ao(s.b))),s},workingToColorSpace:function(s,r){return this.convert(s,this.workingColorSpace,r)},colorSpaceToWorking:function(s,r){return this.convert(s,r,this.workingColorSpace)},getPrimaries:function(s){return this.spaces[s].primaries},getTransfer:function(s){return s===ws?la:this.spaces[s].transfer},getToneMappingMode:function(s){return this.spaces[s].outputColorSpaceConfig.toneMappingMode||"standard"},getLuminanceCoefficients:function(s,r=this.workingColorSpace){return s.fromArray(this.spaces[r].luminanceCoefficients)},define:function(s){Object.assign(this.spaces,s)},_getMatrix:function(s,r,o){return s.copy(this.spaces[o].fromXYZ).multiply(this.spaces[r].toXYZ)},_getDrawingBufferColorSpace:function(s){return this.spaces[s].outputColorSpaceConfig.drawingBufferColorSpace},_getUnpackColorSpace:function(s=this.workingColorSpace){return this.spaces[s].workingColorSpaceConfig.unpackColorSpace}},t=[.64,.33,.3,.6,.15,.06],e=[.2126,.7152,.0722],n=[.3127,.329];return i.define({[aa]:{primaries:t,whitePoint:n,transfer:la,toXYZ:Yp,fromXYZ:$p,luminanceCoefficients:e,workingColorSpaceConfig:{unpackColorSpace:ci},outputColorSpaceConfig:{drawingBufferColorSpace:ci}},[ci]:{primaries:t,whitePoint:n,transfer:Ae,toXYZ:Yp,fromXYZ:$p,luminanceCoefficients:e,outputColorSpaceConfig:{drawingBufferColorSpace:ci}}}),i}var xe=Vx();function gs(i){return i<.04045?i*.0773993808:Math.pow(i*.9478672986+.0521327014,2.4)}function ao(i){return i<.0031308?i*12.92:1.055*Math.pow(i,.41666)-.055}var Yr,Zl=class{static getDataURL(t,e="image/png"){if(/^data:/i.test(t.src)||typeof HTMLCanvasElement>"u")return t.src;let n;if(t instanceof HTMLCanvasElement)n=t;else{Yr===void 0&&(Yr=ca("canvas")),Yr.width=t.width,Yr.height=t.height;let s=Yr.getContext("2d");t instanceof ImageData?s.putImageData(t,0,0):s.drawImage(t,0,0,t.width,t.height),n=Yr}return n.toDataURL(e)}static sRGBToLinear(t){if(typeof HTMLImageElement<"u"&&t instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&t instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&t instanceof ImageBitmap){let e=ca("canvas");e.width=t.width,e.height=t.height;let n=e.getContext("2d");n.drawImage(t,0,0,t.width,t.height);let s=n.getImageData(0,0,t.width,t.height),r=s.data;for(let o=0;o<r.length;o++)r[o]=gs(r[o]/255)*255;return n.putImageData(s,0,0),e}else if(t.data){let e=t.data.slice(0);for(let n=0;n<e.length;n++)e instanceof Uint8Array||e instanceof Uint8ClampedArray?e[n]=Math.floor(gs(e[n]/255)*255):e[n]=gs(e[n]);return{data:e,width:t.width,height:t.height}}else return qt("ImageUtils.sRGBToLinear(): Unsupported image type. No color space conversion applied."),t}},Gx=0,fo=class{constructor(t=null){this.isTextureSource=!0,Object.defineProperty(this,"id",{value:Gx++}),this.uuid=wo(),this.data=t,this.dataReady=!0,this.version=0}getSize(t){let e=this.data;return typeof HTMLVideoElement<"u"&&e instanceof HTMLVideoElement?t.set(e.videoWidth,e.videoHeight,0):typeof VideoFrame<"u"&&e instanceof VideoFrame?t.set(e.displayWidth,e.displayHeight,0):e!==null?t.set(e.width||0,e.height||0,e.depth||0):t.set(0,0,0),t}set needsUpdate(t){t===!0&&this.version++}toJSON(t){let e=t===void 0||typeof t=="string";if(!e&&t.images[this.uuid]!==void 0)return t.images[this.uuid];let n={uuid:this.uuid,url:""},s=this.data;if(s!==null){let r;if(Array.isArray(s)){r=[];for(let o=0,a=s.length;o<a;o++)s[o].isDataTexture?r.push(mu(s[o].image)):r.push(mu(s[o]))}else r=mu(s);n.url=r}return e||(t.images[this.uuid]=n),n}};function mu(i){return typeof HTMLImageElement<"u"&&i instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&i instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&i instanceof ImageBitmap?Zl.getDataURL(i):i.data?{data:Array.from(i.data),width:i.width,height:i.height,type:i.data.constructor.name}:(qt("Texture: Unable to serialize Texture."),{})}var Hx=0,gu=new X,Jn=class i extends Ui{constructor(t=i.DEFAULT_IMAGE,e=i.DEFAULT_MAPPING,n=Zi,s=Zi,r=Xn,o=Ss,a=Bi,c=jn,l=i.DEFAULT_ANISOTROPY,u=ws){super(),this.isTexture=!0,Object.defineProperty(this,"id",{value:Hx++}),this.uuid=wo(),this.name="",this.source=new fo(t),this.mipmaps=[],this.mapping=e,this.channel=0,this.wrapS=n,this.wrapT=s,this.magFilter=r,this.minFilter=o,this.anisotropy=l,this.format=a,this.internalFormat=null,this.type=c,this.offset=new Kt(0,0),this.repeat=new Kt(1,1),this.center=new Kt(0,0),this.rotation=0,this.matrixAutoUpdate=!0,this.matrix=new te,this.generateMipmaps=!0,this.mipmapsAutoUpdate=!0,this.premultiplyAlpha=!1,this.flipY=!0,this.unpackAlignment=4,this.colorSpace=u,this.userData={},this.updateRanges=[],this.version=0,this.onUpdate=null,this.renderTarget=null,this.isRenderTargetTexture=!1,this.isArrayTexture=!!(t&&t.depth&&t.depth>1),this.pmremVersion=0,this.isPMREMTexture=!1,this.normalized=!1}get width(){return this.source.getSize(gu).x}get height(){return this.source.getSize(gu).y}get depth(){return this.source.getSize(gu).z}get image(){return this.source.data}set image(t){this.source.data=t}updateMatrix(){this.matrix.setUvTransform(this.offset.x,this.offset.y,this.repeat.x,this.repeat.y,this.rotation,this.center.x,this.center.y)}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}clone(){return new this.constructor().copy(this)}copy(t){return this.name=t.name,this.source=t.source,this.mipmaps=t.mipmaps.slice(0),this.mapping=t.mapping,this.channel=t.channel,this.wrapS=t.wrapS,this.wrapT=t.wrapT,this.magFilter=t.magFilter,this.minFilter=t.minFilter,this.anisotropy=t.anisotropy,this.format=t.format,this.internalFormat=t.internalFormat,this.type=t.type,this.normalized=t.normalized,this.offset.copy(t.offset),this.repeat.copy(t.repeat),this.center.copy(t.center),this.rotation=t.rotation,this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrix.copy(t.matrix),this.generateMipmaps=t.generateMipmaps,this.mipmapsAutoUpdate=t.mipmapsAutoUpdate,this.premultiplyAlpha=t.premultiplyAlpha,this.flipY=t.flipY,this.unpackAlignment=t.unpackAlignment,this.colorSpace=t.colorSpace,this.renderTarget=t.renderTarget,this.isRenderTargetTexture=t.isRenderTargetTexture,this.isPMREMTexture=t.isPMREMTexture,this.isArrayTexture=t.isArrayTexture,this.userData=JSON.parse(JSON.stringify(t.userData)),this.needsUpdate=!0,this}setValues(t){for(let e in t){let n=t[e];if(n===void 0){qt(`Texture.setValues(): parameter '${e}' has value of undefined.`);continue}let s=this[e];if(s===void 0){qt(`Texture.setValues(): property '${e}' does not exist.`);continue}s&&n&&s.isVector2&&n.isVector2||s&&n&&s.isVector3&&n.isVector3||s&&n&&s.isMatrix3&&n.isMatrix3?s.copy(n):this[e]=n}}toJSON(t){let e=t===void 0||typeof t=="string";if(!e&&t.textures[this.uuid]!==void 0)return t.textures[this.uuid];let n={metadata:{version:4.7,type:"Texture",generator:"Texture.toJSON"},uuid:this.uuid,name:this.name,image:this.source.toJSON(t).uuid,mapping:this.mapping,channel:this.channel,repeat:[this.repeat.x,this.repeat.y],offset:[this.offset.x,this.offset.y],center:[this.center.x,this.center.y],rotation:this.rotation,wrap:[this.wrapS,this.wrapT],format:this.format,internalFormat:this.internalFormat,type:this.type,normalized:this.normalized,colorSpace:this.colorSpace,minFilter:this.minFilter,magFilter:this.magFilter,anisotropy:this.anisotropy,flipY:this.flipY,generateMipmaps:this.generateMipmaps,mipmapsAutoUpdate:this.mipmapsAutoUpdate,premultiplyAlpha:this.premultiplyAlpha,unpackAlignment:this.unpackAlignment};return Object.keys(this.userData).length>0&&(n.userData=this.userData),e||(t.textures[this.uuid]=n),n}dispose(){this.dispatchEvent({type:"dispose"})}transformUv(t){if(this.mapping!==td)return t;if(t.applyMatrix3(this.matrix),t.x<0||t.x>1)switch(this.wrapS){case ql:t.x=t.x-Math.floor(t.x);break;case Zi:t.x=t.x<0?0:1;break;case Yl:Math.abs(Math.floor(t.x)%2)===1?t.x=Math.ceil(t.x)-t.x:t.x=t.x-Math.floor(t.x);break}if(t.y<0||t.y>1)switch(this.wrapT){case ql:t.y=t.y-Math.floor(t.y);break;case Zi:t.y=t.y<0?0:1;break;case Yl:Math.abs(Math.floor(t.y)%2)===1?t.y=Math.ceil(t.y)-t.y:t.y=t.y-Math.floor(t.y);break}return this.flipY&&(t.y=1-t.y),t}set needsUpdate(t){t===!0&&(this.version++,this.source.needsUpdate=!0)}set needsPMREMUpdate(t){t===!0&&this.pmremVersion++}};Jn.DEFAULT_IMAGE=null;Jn.DEFAULT_MAPPING=td;Jn.DEFAULT_ANISOTROPY=1;var Ye=class{static{this.prototype.isVector4=!0}constructor(t=0,e=0,n=0,s=1){this.x=t,this.y=e,this.z=n,this.w=s}get width(){return this.z}set width(t){this.z=t}get height(){return this.w}set height(t){this.w=t}set(t,e,n,s){return this.x=t,this.y=e,this.z=n,this.w=s,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this.w=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setW(t){return this.w=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;case 3:this.w=e;break;default:throw new Error("THREE.Vector4: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;case 3:return this.w;default:throw new Error("THREE.Vector4: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z,this.w)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this.w=t.w!==void 0?t.w:1,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this.w+=t.w,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this.w+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this.w=t.w+e.w,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this.w+=t.w*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this.w-=t.w,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this.w-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this.w=t.w-e.w,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this.w*=t.w,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this.w*=t,this}applyMatrix4(t){let e=this.x,n=this.y,s=this.z,r=this.w,o=t.elements;return this.x=o[0]*e+o[4]*n+o[8]*s+o[12]*r,this.y=o[1]*e+o[5]*n+o[9]*s+o[13]*r,this.z=o[2]*e+o[6]*n+o[10]*s+o[14]*r,this.w=o[3]*e+o[7]*n+o[11]*s+o[15]*r,this}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this.w/=t.w,this}divideScalar(t){return this.multiplyScalar(1/t)}setAxisAngleFromQuaternion(t){this.w=2*Math.acos(t.w);let e=Math.sqrt(1-t.w*t.w);return e<1e-4?(this.x=1,this.y=0,this.z=0):(this.x=t.x/e,this.y=t.y/e,this.z=t.z/e),this}setAxisAngleFromRotationMatrix(t){let e,n,s,r,c=t.elements,l=c[0],u=c[4],d=c[8],h=c[1],f=c[5],p=c[9],v=c[2],m=c[6],g=c[10];if(Math.abs(u-h)<.01&&Math.abs(d-v)<.01&&Math.abs(p-m)<.01){if(Math.abs(u+h)<.1&&Math.abs(d+v)<.1&&Math.abs(p+m)<.1&&Math.abs(l+f+g-3)<.1)return this.set(1,0,0,0),this;e=Math.PI;let A=(l+1)/2,w=(f+1)/2,P=(g+1)/2,E=(u+h)/4,x=(d+v)/4,T=(p+m)/4;return A>w&&A>P?A<.01?(n=0,s=.707106781,r=.707106781):(n=Math.sqrt(A),s=E/n,r=x/n):w>P?w<.01?(n=.707106781,s=0,r=.707106781):(s=Math.sqrt(w),n=E/s,r=T/s):P<.01?(n=.707106781,s=.707106781,r=0):(r=Math.sqrt(P),n=x/r,s=T/r),this.set(n,s,r,e),this}let y=Math.sqrt((m-p)*(m-p)+(d-v)*(d-v)+(h-u)*(h-u));return Math.abs(y)<.001&&(y=1),this.x=(m-p)/y,this.y=(d-v)/y,this.z=(h-u)/y,this.w=Math.acos((l+f+g-1)/2),this}setFromMatrixPosition(t){let e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this.w=e[15],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this.w=Math.min(this.w,t.w),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this.w=Math.max(this.w,t.w),this}clamp(t,e){return this.x=pe(this.x,t.x,e.x),this.y=pe(this.y,t.y,e.y),this.z=pe(this.z,t.z,e.z),this.w=pe(this.w,t.w,e.w),this}clampScalar(t,e){return this.x=pe(this.x,t,e),this.y=pe(this.y,t,e),this.z=pe(this.z,t,e),this.w=pe(this.w,t,e),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(pe(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this.w=Math.floor(this.w),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this.w=Math.ceil(this.w),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this.w=Math.round(this.w),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this.w=Math.trunc(this.w),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this.w=-this.w,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z+this.w*t.w}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)+Math.abs(this.w)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this.w+=(t.w-this.w)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this.z=t.z+(e.z-t.z)*n,this.w=t.w+(e.w-t.w)*n,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z&&t.w===this.w}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this.w=t[e+3],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t[e+3]=this.w,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this.w=t.getW(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this.w=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z,yield this.w}},Jl=class extends Ui{constructor(t=1,e=1,n={}){super(),n=Object.assign({generateMipmaps:!1,internalFormat:null,minFilter:Xn,depthBuffer:!0,stencilBuffer:!1,resolveColorBuffer:!0,resolveDepthBuffer:!0,resolveStencilBuffer:!0,storeMultisampledColorBuffer:!0,storeMultisampledDepthBuffer:!0,storeMultisampledStencilBuffer:!0,depthTexture:null,samples:0,count:1,depth:1,multiview:!1,useArrayDepthTexture:!1},n),this.isRenderTarget=!0,this.width=t,this.height=e,this.depth=n.depth,this.scissor=new Ye(0,0,t,e),this.scissorTest=!1,this.viewport=new Ye(0,0,t,e),this.textures=[];let s=n.count;for(let r=0;r<s;r++)this.textures[r]=new Jn({width:t,height:e,depth:n.depth}),this.textures[r].isRenderTargetTexture=!0,this.textures[r].renderTarget=this;this._setTextureOptions(n),this.depthBuffer=n.depthBuffer,this.stencilBuffer=n.stencilBuffer,this.resolveColorBuffer=n.resolveColorBuffer,this.resolveDepthBuffer=n.resolveDepthBuffer,this.resolveStencilBuffer=n.resolveStencilBuffer,this.storeMultisampledColorBuffer=n.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=n.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=n.storeMultisampledStencilBuffer,this._depthTexture=null,this.depthTexture=n.depthTexture,this.samples=n.samples,this.multiview=n.multiview,this.useArrayDepthTexture=n.useArrayDepthTexture}_setTextureOptions(t={}){let e={minFilter:Xn,generateMipmaps:!1,flipY:!1,internalFormat:null};t.mapping!==void 0&&(e.mapping=t.mapping),t.wrapS!==void 0&&(e.wrapS=t.wrapS),t.wrapT!==void 0&&(e.wrapT=t.wrapT),t.wrapR!==void 0&&(e.wrapR=t.wrapR),t.magFilter!==void 0&&(e.magFilter=t.magFilter),t.minFilter!==void 0&&(e.minFilter=t.minFilter),t.format!==void 0&&(e.format=t.format),t.type!==void 0&&(e.type=t.type),t.anisotropy!==void 0&&(e.anisotropy=t.anisotropy),t.colorSpace!==void 0&&(e.colorSpace=t.colorSpace),t.flipY!==void 0&&(e.flipY=t.flipY),t.generateMipmaps!==void 0&&(e.generateMipmaps=t.generateMipmaps),t.mipmapsAutoUpdate!==void 0&&(e.mipmapsAutoUpdate=t.mipmapsAutoUpdate),t.internalFormat!==void 0&&(e.internalFormat=t.internalFormat);for(let n=0;n<this.textures.length;n++)this.textures[n].setValues(e)}get texture(){return this.textures[0]}set texture(t){this.textures[0]=t}set depthTexture(t){this._depthTexture!==null&&this._depthTexture.renderTarget===this&&(this._depthTexture.renderTarget=null),t!==null&&t.renderTarget===null&&(t.renderTarget=this),this._depthTexture=t}get depthTexture(){return this._depthTexture}setSize(t,e,n=1){if(this.width!==t||this.height!==e||this.depth!==n){this.width=t,this.height=e,this.depth=n;for(let s=0,r=this.textures.length;s<r;s++)this.textures[s].image.width=t,this.textures[s].image.height=e,this.textures[s].image.depth=n,this.textures[s].isData3DTexture!==!0&&(this.textures[s].isArrayTexture=this.textures[s].image.depth>1);this.dispose()}this.viewport.set(0,0,t,e),this.scissor.set(0,0,t,e)}clone(){return new this.constructor().copy(this)}copy(t){this.width=t.width,this.height=t.height,this.depth=t.depth,this.scissor.copy(t.scissor),this.scissorTest=t.scissorTest,this.viewport.copy(t.viewport),this.textures.length=0;for(let e=0,n=t.textures.length;e<n;e++){this.textures[e]=t.textures[e].clone(),this.textures[e].isRenderTargetTexture=!0,this.textures[e].renderTarget=this;let s=Object.assign({},t.textures[e].image);this.textures[e].source=new fo(s)}if(this.depthBuffer=t.depthBuffer,this.stencilBuffer=t.stencilBuffer,this.resolveColorBuffer=t.resolveColorBuffer,this.resolveDepthBuffer=t.resolveDepthBuffer,this.resolveStencilBuffer=t.resolveStencilBuffer,this.storeMultisampledColorBuffer=t.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=t.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=t.storeMultisampledStencilBuffer,t.depthTexture!==null)if(t.depthTexture.renderTarget===t){let e=t.depthTexture.clone();e.renderTarget=null,this.depthTexture=e}else this.depthTexture=t.depthTexture;else this.depthTexture=null;return this.samples=t.samples,this.multiview=t.multiview,this.useArrayDepthTexture=t.useArrayDepthTexture,this}dispose(){this.dispatchEvent({type:"dispose"})}},di=class extends Jl{constructor(t=1,e=1,n={}){super(t,e,n),this.isWebGLRenderTarget=!0}},ha=class extends Jn{constructor(t=null,e=1,n=1,s=1){super(null),this.isDataArrayTexture=!0,this.image={data:t,width:e,height:n,depth:s},this.magFilter=Rn,this.minFilter=Rn,this.wrapR=Zi,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1,this.layerUpdates=new Set}copy(t){return super.copy(t),this.wrapR=t.wrapR,this}addLayerUpdate(t){this.layerUpdates.add(t)}clearLayerUpdates(){this.layerUpdates.clear()}};var Kl=class extends Jn{constructor(t=null,e=1,n=1,s=1){super(null),this.isData3DTexture=!0,this.image={data:t,width:e,height:n,depth:s},this.magFilter=Rn,this.minFilter=Rn,this.wrapR=Zi,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}copy(t){return super.copy(t),this.wrapR=t.wrapR,this}};var Se=class i{static{this.prototype.isMatrix4=!0}constructor(t,e,n,s,r,o,a,c,l,u,d,h,f,p,v,m){this.elements=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],t!==void 0&&this.set(t,e,n,s,r,o,a,c,l,u,d,h,f,p,v,m)}set(t,e,n,s,r,o,a,c,l,u,d,h,f,p,v,m){let g=this.elements;return g[0]=t,g[4]=e,g[8]=n,g[12]=s,g[1]=r,g[5]=o,g[9]=a,g[13]=c,g[2]=l,g[6]=u,g[10]=d,g[14]=h,g[3]=f,g[7]=p,g[11]=v,g[15]=m,this}identity(){return this.set(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1),this}clone(){return new i().fromArray(this.elements)}copy(t){let e=this.elements,n=t.elements;return e[0]=n[0],e[1]=n[1],e[2]=n[2],e[3]=n[3],e[4]=n[4],e[5]=n[5],e[6]=n[6],e[7]=n[7],e[8]=n[8],e[9]=n[9],e[10]=n[10],e[11]=n[11],e[12]=n[12],e[13]=n[13],e[14]=n[14],e[15]=n[15],this}copyPosition(t){let e=this.elements,n=t.elements;return e[12]=n[12],e[13]=n[13],e[14]=n[14],this}setFromMatrix3(t){let e=t.elements;return this.set(e[0],e[3],e[6],0,e[1],e[4],e[7],0,e[2],e[5],e[8],0,0,0,0,1),this}extractBasis(t,e,n){return this.determinantAffine()===0?(t.set(1,0,0),e.set(0,1,0),n.set(0,0,1),this):(t.setFromMatrixColumn(this,0),e.setFromMatrixColumn(this,1),n.setFromMatrixColumn(this,2),this)}makeBasis(t,e,n){return this.set(t.x,e.x,n.x,0,t.y,e.y,n.y,0,t.z,e.z,n.z,0,0,0,0,1),this}extractRotation(t){if(t.determinantAffine()===0)return this.identity();let e=this.elements,n=t.elements,s=1/$r.setFromMatrixColumn(t,0).length(),r=1/$r.setFromMatrixColumn(t,1).length(),o=1/$r.setFromMatrixColumn(t,2).length();return e[0]=n[0]*s,e[1]=n[1]*s,e[2]=n[2]*s,e[3]=0,e[4]=n[4]*r,e[5]=n[5]*r,e[6]=n[6]*r,e[7]=0,e[8]=n[8]*o,e[9]=n[9]*o,e[10]=n[10]*o,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromEuler(t){let e=this.elements,n=t.x,s=t.y,r=t.z,o=Math.cos(n),a=Math.sin(n),c=Math.cos(s),l=Math.sin(s),u=Math.cos(r),d=Math.sin(r);if(t.order==="XYZ"){let h=o*u,f=o*d,p=a*u,v=a*d;e[0]=c*u,e[4]=-c*d,e[8]=l,e[1]=f+p*l,e[5]=h-v*l,e[9]=-a*c,e[2]=v-h*l,e[6]=p+f*l,e[10]=o*c}else if(t.order==="YXZ"){let h=c*u,f=c*d,p=l*u,v=l*d;e[0]=h+v*a,e[4]=p*a-f,e[8]=o*l,e[1]=o*d,e[5]=o*u,e[9]=-a,e[2]=f*a-p,e[6]=v+h*a,e[10]=o*c}else if(t.order==="ZXY"){let h=c*u,f=c*d,p=l*u,v=l*d;e[0]=h-v*a,e[4]=-o*d,e[8]=p+f*a,e[1]=f+p*a,e[5]=o*u,e[9]=v-h*a,e[2]=-o*l,e[6]=a,e[10]=o*c}else if(t.order==="ZYX"){let h=o*u,f=o*d,p=a*u,v=a*d;e[0]=c*u,e[4]=p*l-f,e[8]=h*l+v,e[1]=c*d,e[5]=v*l+h,e[9]=f*l-p,e[2]=-l,e[6]=a*c,e[10]=o*c}else if(t.order==="YZX"){let h=o*c,f=o*l,p=a*c,v=a*l;e[0]=c*u,e[4]=v-h*d,e[8]=p*d+f,e[1]=d,e[5]=o*u,e[9]=-a*u,e[2]=-l*u,e[6]=f*d+p,e[10]=h-v*d}else if(t.order==="XZY"){let h=o*c,f=o*l,p=a*c,v=a*l;e[0]=c*u,e[4]=-d,e[8]=l*u,e[1]=h*d+v,e[5]=o*u,e[9]=f*d-p,e[2]=p*d-f,e[6]=a*u,e[10]=v*d+h}return e[3]=0,e[7]=0,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromQuaternion(t){return this.compose(Wx,t,Xx)}lookAt(t,e,n){let s=this.elements;return ai.subVectors(t,e),ai.lengthSq()===0&&(ai.z=1),ai.normalize(),Os.crossVectors(n,ai),Os.lengthSq()===0&&(Math.abs(n.z)===1?ai.x+=1e-4:ai.z+=1e-4,ai.normalize(),Os.crossVectors(n,ai)),Os.normalize(),pl.crossVectors(ai,Os),s[0]=Os.x,s[4]=pl.x,s[8]=ai.x,s[1]=Os.y,s[5]=pl.y,s[9]=ai.y,s[2]=Os.z,s[6]=pl.z,s[10]=ai.z,this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){let n=t.elements,s=e.elements,r=this.elements,o=n[0],a=n[4],c=n[8],l=n[12],u=n[1],d=n[5],h=n[9],f=n[13],p=n[2],v=n[6],m=n[10],g=n[14],y=n[3],A=n[7],w=n[11],P=n[15],E=s[0],x=s[4],T=s[8],k=s[12],U=s[1],N=s[5],z=s[9],H=s[13],L=s[2],W=s[6],$=s[10],G=s[14],ct=s[3],K=s[7],Q=s[11],st=s[15];return r[0]=o*E+a*U+c*L+l*ct,r[4]=o*x+a*N+c*W+l*K,r[8]=o*T+a*z+c*$+l*Q,r[12]=o*k+a*H+c*G+l*st,r[1]=u*E+d*U+h*L+f*ct,r[5]=u*x+d*N+h*W+f*K,r[9]=u*T+d*z+h*$+f*Q,r[13]=u*k+d*H+h*G+f*st,r[2]=p*E+v*U+m*L+g*ct,r[6]=p*x+v*N+m*W+g*K,r[10]=p*T+v*z+m*$+g*Q,r[14]=p*k+v*H+m*G+g*st,r[3]=y*E+A*U+w*L+P*ct,r[7]=y*x+A*N+w*W+P*K,r[11]=y*T+A*z+w*$+P*Q,r[15]=y*k+A*H+w*G+P*st,this}multiplyScalar(t){let e=this.elements;return e[0]*=t,e[4]*=t,e[8]*=t,e[12]*=t,e[1]*=t,e[5]*=t,e[9]*=t,e[13]*=t,e[2]*=t,e[6]*=t,e[10]*=t,e[14]*=t,e[3]*=t,e[7]*=t,e[11]*=t,e[15]*=t,this}determinant(){let t=this.elements,e=t[0],n=t[4],s=t[8],r=t[12],o=t[1],a=t[5],c=t[9],l=t[13],u=t[2],d=t[6],h=t[10],f=t[14],p=t[3],v=t[7],m=t[11],g=t[15],y=c*f-l*h,A=a*f-l*d,w=a*h-c*d,P=o*f-l*u,E=o*h-c*u,x=o*d-a*u;return e*(v*y-m*A+g*w)-n*(p*y-m*P+g*E)+s*(p*A-v*P+g*x)-r*(p*w-v*E+m*x)}determinantAffine(){let t=this.elements,e=t[0],n=t[4],s=t[8],r=t[1],o=t[5],a=t[9],c=t[2],l=t[6],u=t[10];return e*(o*u-a*l)-n*(r*u-a*c)+s*(r*l-o*c)}transpose(){let t=this.elements,e;return e=t[1],t[1]=t[4],t[4]=e,e=t[2],t[2]=t[8],t[8]=e,e=t[6],t[6]=t[9],t[9]=e,e=t[3],t[3]=t[12],t[12]=e,e=t[7],t[7]=t[13],t[13]=e,e=t[11],t[11]=t[14],t[14]=e,this}setPosition(t,e,n){let s=this.elements;return t.isVector3?(s[12]=t.x,s[13]=t.y,s[14]=t.z):(s[12]=t,s[13]=e,s[14]=n),this}invert(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],c=t[6],l=t[7],u=t[8],d=t[9],h=t[10],f=t[11],p=t[12],v=t[13],m=t[14],g=t[15],y=e*a-n*o,A=e*c-s*o,w=e*l-r*o,P=n*c-s*a,E=n*l-r*a,x=s*l-r*c,T=u*v-d*p,k=u*m-h*p,U=u*g-f*p,N=d*m-h*v,z=d*g-f*v,H=h*g-f*m,L=y*H-A*z+w*N+P*U-E*k+x*T;if(L===0)return this.set(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0);let W=1/L;return t[0]=(a*H-c*z+l*N)*W,t[1]=(s*z-n*H-r*N)*W,t[2]=(v*x-m*E+g*P)*W,t[3]=(h*E-d*x-f*P)*W,t[4]=(c*U-o*H-l*k)*W,t[5]=(e*H-s*U+r*k)*W,t[6]=(m*w-p*x-g*A)*W,t[7]=(u*x-h*w+f*A)*W,t[8]=(o*z-a*U+l*T)*W,t[9]=(n*U-e*z-r*T)*W,t[10]=(p*E-v*w+g*y)*W,t[11]=(d*w-u*E-f*y)*W,t[12]=(a*k-o*N-c*T)*W,t[13]=(e*N-n*k+s*T)*W,t[14]=(v*A-p*P-m*y)*W,t[15]=(u*P-d*A+h*y)*W,this}scale(t){let e=this.elements,n=t.x,s=t.y,r=t.z;return e[0]*=n,e[4]*=s,e[8]*=r,e[1]*=n,e[5]*=s,e[9]*=r,e[2]*=n,e[6]*=s,e[10]*=r,e[3]*=n,e[7]*=s,e[11]*=r,this}getMaxScaleOnAxis(){let t=this.elements,e=t[0]*t[0]+t[1]*t[1]+t[2]*t[2],n=t[4]*t[4]+t[5]*t[5]+t[6]*t[6],s=t[8]*t[8]+t[9]*t[9]+t[10]*t[10];return Math.sqrt(Math.max(e,n,s))}makeTranslation(t,e,n){return t.isVector3?this.set(1,0,0,t.x,0,1,0,t.y,0,0,1,t.z,0,0,0,1):this.set(1,0,0,t,0,1,0,e,0,0,1,n,0,0,0,1),this}makeRotationX(t){let e=Math.cos(t),n=Math.sin(t);return this.set(1,0,0,0,0,e,-n,0,0,n,e,0,0,0,0,1),this}makeRotationY(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,0,n,0,0,1,0,0,-n,0,e,0,0,0,0,1),this}makeRotationZ(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,-n,0,0,n,e,0,0,0,0,1,0,0,0,0,1),this}makeRotationAxis(t,e){let n=Math.cos(e),s=Math.sin(e),r=1-n,o=t.x,a=t.y,c=t.z,l=r*o,u=r*a;return this.set(l*o+n,l*a-s*c,l*c+s*a,0,l*a+s*c,u*a+n,u*c-s*o,0,l*c-s*a,u*c+s*o,r*c*c+n,0,0,0,0,1),this}makeScale(t,e,n){return this.set(t,0,0,0,0,e,0,0,0,0,n,0,0,0,0,1),this}makeShear(t,e,n,s,r,o){return this.set(1,n,r,0,t,1,o,0,e,s,1,0,0,0,0,1),this}compose(t,e,n){let s=this.elements,r=e._x,o=e._y,a=e._z,c=e._w,l=r+r,u=o+o,d=a+a,h=r*l,f=r*u,p=r*d,v=o*u,m=o*d,g=a*d,y=c*l,A=c*u,w=c*d,P=n.x,E=n.y,x=n.z;return s[0]=(1-(v+g))*P,s[1]=(f+w)*P,s[2]=(p-A)*P,s[3]=0,s[4]=(f-w)*E,s[5]=(1-(h+g))*E,s[6]=(m+y)*E,s[7]=0,s[8]=(p+A)*x,s[9]=(m-y)*x,s[10]=(1-(h+v))*x,s[11]=0,s[12]=t.x,s[13]=t.y,s[14]=t.z,s[15]=1,this}decompose(t,e,n){let s=this.elements;t.x=s[12],t.y=s[13],t.z=s[14];let r=this.determinantAffine();if(r===0)return n.set(1,1,1),e.identity(),this;let o=$r.set(s[0],s[1],s[2]).length(),a=$r.set(s[4],s[5],s[6]).length(),c=$r.set(s[8],s[9],s[10]).length();r<0&&(o=-o),Ii.copy(this);let l=1/o,u=1/a,d=1/c;return Ii.elements[0]*=l,Ii.elements[1]*=l,Ii.elements[2]*=l,Ii.elements[4]*=u,Ii.elements[5]*=u,Ii.elements[6]*=u,Ii.elements[8]*=d,Ii.elements[9]*=d,Ii.elements[10]*=d,e.setFromRotationMatrix(Ii),n.x=o,n.y=a,n.z=c,this}makePerspective(t,e,n,s,r,o,a=bi,c=!1){let l=this.elements,u=2*r/(e-t),d=2*r/(n-s),h=(e+t)/(e-t),f=(n+s)/(n-s),p,v;if(c)p=r/(o-r),v=o*r/(o-r);else if(a===bi)p=-(o+r)/(o-r),v=-2*o*r/(o-r);else if(a===co)p=-o/(o-r),v=-o*r/(o-r);else throw new Error("THREE.Matrix4.makePerspective(): Invalid coordinate system: "+a);return l[0]=u,l[4]=0,l[8]=h,l[12]=0,l[1]=0,l[5]=d,l[9]=f,l[13]=0,l[2]=0,l[6]=0,l[10]=p,l[14]=v,l[3]=0,l[7]=0,l[11]=-1,l[15]=0,this}makeOrthographic(t,e,n,s,r,o,a=bi,c=!1){let l=this.elements,u=2/(e-t),d=2/(n-s),h=-(e+t)/(e-t),f=-(n+s)/(n-s),p,v;if(c)p=1/(o-r),v=o/(o-r);else if(a===bi)p=-2/(o-r),v=-(o+r)/(o-r);else if(a===co)p=-1/(o-r),v=-r/(o-r);else throw new Error("THREE.Matrix4.makeOrthographic(): Invalid coordinate system: "+a);return l[0]=u,l[4]=0,l[8]=0,l[12]=h,l[1]=0,l[5]=d,l[9]=0,l[13]=f,l[2]=0,l[6]=0,l[10]=p,l[14]=v,l[3]=0,l[7]=0,l[11]=0,l[15]=1,this}equals(t){let e=this.elements,n=t.elements;for(let s=0;s<16;s++)if(e[s]!==n[s])return!1;return!0}fromArray(t,e=0){for(let n=0;n<16;n++)this.elements[n]=t[n+e];return this}toArray(t=[],e=0){let n=this.elements;return t[e]=n[0],t[e+1]=n[1],t[e+2]=n[2],t[e+3]=n[3],t[e+4]=n[4],t[e+5]=n[5],t[e+6]=n[6],t[e+7]=n[7],t[e+8]=n[8],t[e+9]=n[9],t[e+10]=n[10],t[e+11]=n[11],t[e+12]=n[12],t[e+13]=n[13],t[e+14]=n[14],t[e+15]=n[15],t}},$r=new X,Ii=new Se,Wx=new X(0,0,0),Xx=new X(1,1,1),Os=new X,pl=new X,ai=new X,Zp=new Se,Jp=new qn,xs=class i{constructor(t=0,e=0,n=0,s=i.DEFAULT_ORDER){this.isEuler=!0,this._x=t,this._y=e,this._z=n,this._order=s}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get order(){return this._order}set order(t){this._order=t,this._onChangeCallback()}set(t,e,n,s=this._order){return this._x=t,this._y=e,this._z=n,this._order=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._order)}copy(t){return this._x=t._x,this._y=t._y,this._z=t._z,this._order=t._order,this._onChangeCallback(),this}setFromRotationMatrix(t,e=this._order,n=!0){let s=t.elements,r=s[0],o=s[4],a=s[8],c=s[1],l=s[5],u=s[9],d=s[2],h=s[6],f=s[10];switch(e){case"XYZ":this._y=Math.asin(pe(a,-1,1)),Math.abs(a)<.9999999?(this._x=Math.atan2(-u,f),this._z=Math.atan2(-o,r)):(this._x=Math.atan2(h,l),this._z=0);break;case"YXZ":this._x=Math.asin(-pe(u,-1,1)),Math.abs(u)<.9999999?(this._y=Math.atan2(a,f),this._z=Math.atan2(c,l)):(this._y=Math.atan2(-d,r),this._z=0);break;case"ZXY":this._x=Math.asin(pe(h,-1,1)),Math.abs(h)<.9999999?(this._y=Math.atan2(-d,f),this._z=Math.atan2(-o,l)):(this._y=0,this._z=Math.atan2(c,r));break;case"ZYX":this._y=Math.asin(-pe(d,-1,1)),Math.abs(d)<.9999999?(this._x=Math.atan2(h,f),this._z=Math.atan2(c,r)):(this._x=0,this._z=Math.atan2(-o,l));break;case"YZX":this._z=Math.asin(pe(c,-1,1)),Math.abs(c)<.9999999?(this._x=Math.atan2(-u,l),this._y=Math.atan2(-d,r)):(this._x=0,this._y=Math.atan2(a,f));break;case"XZY":this._z=Math.asin(-pe(o,-1,1)),Math.abs(o)<.9999999?(this._x=Math.atan2(h,l),this._y=Math.atan2(a,r)):(this._x=Math.atan2(-u,f),this._y=0);break;default:qt("Euler: .setFromRotationMatrix() encountered an unknown order: "+e)}return this._order=e,n===!0&&this._onChangeCallback(),this}setFromQuaternion(t,e,n){return Zp.makeRotationFromQuaternion(t),this.setFromRotationMatrix(Zp,e,n)}setFromVector3(t,e=this._order){return this.set(t.x,t.y,t.z,e)}reorder(t){return Jp.setFromEuler(this),this.setFromQuaternion(Jp,t)}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._order===this._order}fromArray(t){return this._x=t[0],this._y=t[1],this._z=t[2],t[3]!==void 0&&(this._order=t[3]),this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._order,t}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._order}};xs.DEFAULT_ORDER="XYZ";var ua=class{constructor(){this.mask=1}set(t){this.mask=(1<<t|0)>>>0}enable(t){this.mask|=1<<t|0}enableAll(){this.mask=-1}toggle(t){this.mask^=1<<t|0}disable(t){this.mask&=~(1<<t|0)}disableAll(){this.mask=0}test(t){return(this.mask&t.mask)!==0}isEnabled(t){return(this.mask&(1<<t|0))!==0}},qx=0,Kp=new X,Zr=new qn,us=new Se,ml=new X,Jo=new X,Yx=new X,$x=new qn,jp=new X(1,0,0),Qp=new X(0,1,0),tm=new X(0,0,1),em={type:"added"},Zx={type:"removed"},Jr={type:"childadded",child:null},_u={type:"childremoved",child:null},Dn=class i extends Ui{constructor(){super(),this.isObject3D=!0,Object.defineProperty(this,"id",{value:qx++}),this.uuid=wo(),this.name="",this.type="Object3D",this.parent=null,this.children=[],this.up=i.DEFAULT_UP.clone();let t=new X,e=new xs,n=new qn,s=new X(1,1,1);function r(){n.setFromEuler(e,!1)}function o(){e.setFromQuaternion(n,void 0,!1)}e._onChange(r),n._onChange(o),Object.defineProperties(this,{position:{configurable:!0,enumerable:!0,value:t},rotation:{configurable:!0,enumerable:!0,value:e},quaternion:{configurable:!0,enumerable:!0,value:n},scale:{configurable:!0,enumerable:!0,value:s},modelViewMatrix:{value:new Se},normalMatrix:{value:new te}}),this.matrix=new Se,this.matrixWorld=new Se,this.matrixAutoUpdate=i.DEFAULT_MATRIX_AUTO_UPDATE,this.matrixWorldAutoUpdate=i.DEFAULT_MATRIX_WORLD_AUTO_UPDATE,this.matrixWorldNeedsUpdate=!1,this.layers=new ua,this.visible=!0,this.castShadow=!1,this.receiveShadow=!1,this.frustumCulled=!0,this.renderOrder=0,this.animations=[],this.customDepthMaterial=void 0,this.customDistanceMaterial=void 0,this.static=!1,this.userData={},this.pivot=null}onBeforeShadow(){}onAfterShadow(){}onBeforeRender(){}onAfterRender(){}applyMatrix4(t){this.matrixAutoUpdate&&this.updateMatrix(),this.matrix.premultiply(t),this.matrix.decompose(this.position,this.quaternion,this.scale),this.pivot!==null&&this.position.copy(this.pivot).applyMatrix4(this.matrix).sub(this.pivot)}applyQuaternion(t){return this.quaternion.premultiply(t),this}setRotationFromAxisAngle(t,e){this.quaternion.setFromAxisAngle(t,e)}setRotationFromEuler(t){this.quaternion.setFromEuler(t,!0)}setRotationFromMatrix(t){this.quaternion.setFromRotationMatrix(t)}setRotationFromQuaternion(t){this.quaternion.copy(t)}rotateOnAxis(t,e){return Zr.setFromAxisAngle(t,e),this.quaternion.multiply(Zr),this}rotateOnWorldAxis(t,e){return Zr.setFromAxisAngle(t,e),this.quaternion.premultiply(Zr),this}rotateX(t){return this.rotateOnAxis(jp,t)}rotateY(t){return this.rotateOnAxis(Qp,t)}rotateZ(t){return this.rotateOnAxis(tm,t)}translateOnAxis(t,e){return Kp.copy(t).applyQuaternion(this.quaternion),this.position.add(Kp.multiplyScalar(e)),this}translateX(t){return this.translateOnAxis(jp,t)}translateY(t){return this.translateOnAxis(Qp,t)}translateZ(t){return this.translateOnAxis(tm,t)}localToWorld(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(this.matrixWorld)}worldToLocal(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(us.copy(this.matrixWorld).invert())}lookAt(t,e,n){t.isVector3?ml.copy(t):ml.set(t,e,n);let s=this.parent;this.updateWorldMatrix(!0,!1),Jo.setFromMatrixPosition(this.matrixWorld),this.isCamera||this.isLight?us.lookAt(Jo,ml,this.up):us.lookAt(ml,Jo,this.up),this.quaternion.setFromRotationMatrix(us),s&&(us.extractRotation(s.matrixWorld),Zr.setFromRotationMatrix(us),this.quaternion.premultiply(Zr.invert()))}add(t){if(arguments.length>1){for(let e=0;e<arguments.length;e++)this.add(arguments[e]);return this}return t===this?(Qt("Object3D.add: object can't be added as a child of itself.",t),this):(t&&t.isObject3D?(t.removeFromParent(),t.parent=this,this.children.push(t),t.dispatchEvent(em),Jr.child=t,this.dispatchEvent(Jr),Jr.child=null):Qt("Object3D.add: object not an instance of THREE.Object3D.",t),this)}remove(t){if(arguments.length>1){for(let n=0;n<arguments.length;n++)this.remove(arguments[n]);return this}let e=this.children.indexOf(t);return e!==-1&&(t.parent=null,this.children.splice(e,1),t.dispatchEvent(Zx),_u.child=t,this.dispatchEvent(_u),_u.child=null),this}removeFromParent(){let t=this.parent;return t!==null&&t.remove(this),this}clear(){return this.remove(...this.children)}attach(t){return this.updateWorldMatrix(!0,!1),us.copy(this.matrixWorld).invert(),t.parent!==null&&(t.parent.updateWorldMatrix(!0,!1),us.multiply(t.parent.matrixWorld)),t.applyMatrix4(us),t.removeFromParent(),t.parent=this,this.children.push(t),t.updateWorldMatrix(!1,!0),t.dispatchEvent(em),Jr.child=t,this.dispatchEvent(Jr),Jr.child=null,this}getObjectById(t){return this.getObjectByProperty("id",t)}getObjectByName(t){return this.getObjectByProperty("name",t)}getObjectByProperty(t,e){if(this[t]===e)return this;for(let n=0,s=this.children.length;n<s;n++){let o=this.children[n].getObjectByProperty(t,e);if(o!==void 0)return o}}getObjectsByProperty(t,e,n=[]){this[t]===e&&n.push(this);let s=this.children;for(let r=0,o=s.length;r<o;r++)s[r].getObjectsByProperty(t,e,n);return n}getWorldPosition(t){return this.updateWorldMatrix(!0,!1),t.setFromMatrixPosition(this.matrixWorld)}getWorldQuaternion(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Jo,t,Yx),t}getWorldScale(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Jo,$x,t),t}getWorldDirection(t){this.updateWorldMatrix(!0,!1);let e=this.matrixWorld.elements;return t.set(e[8],e[9],e[10]).normalize()}raycast(){}intersectsFrustum(){return!0}traverse(t){t(this);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].traverse(t)}traverseVisible(t){if(this.visible===!1)return;t(this);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].traverseVisible(t)}traverseAncestors(t){let e=this.parent;e!==null&&(t(e),e.traverseAncestors(t))}updateMatrix(){this.matrix.compose(this.position,this.quaternion,this.scale);let t=this.pivot;if(t!==null){let e=t.x,n=t.y,s=t.z,r=this.matrix.elements;r[12]+=e-r[0]*e-r[4]*n-r[8]*s,r[13]+=n-r[1]*e-r[5]*n-r[9]*s,r[14]+=s-r[2]*e-r[6]*n-r[10]*s}this.matrixWorldNeedsUpdate=!0}updateMatrixWorld(t){this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||t)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,t=!0);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].updateMatrixWorld(t)}updateWorldMatrix(t,e,n=!1){let s=this.parent;if(t===!0&&s!==null&&s.updateWorldMatrix(!0,!1),this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||n)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,n=!0),e===!0){let r=this.children;for(let o=0,a=r.length;o<a;o++)r[o].updateWorldMatrix(!1,!0,n)}}toJSON(t){let e=t===void 0||typeof t=="string",n={};e&&(t={geometries:{},materials:{},textures:{},images:{},shapes:{},skeletons:{},animations:{},nodes:{}},n.metadata={version:4.7,type:"Object",generator:"Object3D.toJSON"});let s={};s.uuid=this.uuid,s.type=this.type,s.name=this.name,s.castShadow=this.castShadow,s.receiveShadow=this.receiveShadow,s.visible=this.visible,s.frustumCulled=this.frustumCulled,s.renderOrder=this.renderOrder,s.static=this.static,s.matrixAutoUpdate=this.matrixAutoUpdate,Object.keys(this.userData).length>0&&(s.userData=this.userData),s.layers=this.layers.mask,s.matrix=this.matrix.toArray(),s.up=this.up.toArray(),this.pivot!==null&&(s.pivot=this.pivot.toArray()),this.morphTargetDictionary!==void 0&&(s.morphTargetDictionary=Object.assign({},this.morphTargetDictionary)),this.morphTargetInfluences!==void 0&&(s.morphTargetInfluences=this.morphTargetInfluences.slice()),this.isInstancedMesh&&(s.type="InstancedMesh",s.count=this.count,s.instanceMatrix=this.instanceMatrix.toJSON(),this.instanceColor!==null&&(s.instanceColor=this.instanceColor.toJSON())),this.isBatchedMesh&&(s.type="BatchedMesh",s.perObjectFrustumCulled=this.perObjectFrustumCulled,s.sortObjects=this.sortObjects,s.drawRanges=this._drawRanges,s.reservedRanges=this._reservedRanges,s.geometryInfo=this._geometryInfo.map(a=>({...a,boundingBox:a.boundingBox?a.boundingBox.toJSON():void 0,boundingSphere:a.boundingSphere?a.boundingSphere.toJSON():void 0})),s.instanceInfo=this._instanceInfo.map(a=>({...a})),s.availableInstanceIds=this._availableInstanceIds.slice(),s.availableGeometryIds=this._availableGeometryIds.slice(),s.nextIndexStart=this._nextIndexStart,s.nextVertexStart=this._nextVertexStart,s.geometryCount=this._geometryCount,s.maxInstanceCount=this._maxInstanceCount,s.maxVertexCount=this._maxVertexCount,s.maxIndexCount=this._maxIndexCount,s.geometryInitialized=this._geometryInitialized,s.matricesTexture=this._matricesTexture.toJSON(t),s.indirectTexture=this._indirectTexture.toJSON(t),this._colorsTexture!==null&&(s.colorsTexture=this._colorsTexture.toJSON(t)),this.boundingSphere!==null&&(s.boundingSphere=this.boundingSphere.toJSON()),this.boundingBox!==null&&(s.boundingBox=this.boundingBox.toJSON()));function r(a,c){return a[c.uuid]===void 0&&(a[c.uuid]=c.toJSON(t)),c.uuid}if(this.isScene)this.background&&(this.background.isColor?s.background=this.background.toJSON():this.background.isTexture&&(s.background=this.background.toJSON(t).uuid)),this.environment&&this.environment.isTexture&&this.environment.isRenderTargetTexture!==!0&&(s.environment=this.environment.toJSON(t).uuid);else if(this.isMesh||this.isLine||this.isPoints){s.geometry=r(t.geometries,this.geometry);let a=this.geometry.parameters;if(a!==void 0&&a.shapes!==void 0){let c=a.shapes;if(Array.isArray(c))for(let l=0,u=c.length;l<u;l++){let d=c[l];r(t.shapes,d)}else r(t.shapes,c)}}if(this.isSkinnedMesh&&(s.bindMode=this.bindMode,s.bindMatrix=this.bindMatrix.toArray(),this.skeleton!==void 0&&(r(t.skeletons,this.skeleton),s.skeleton=this.skeleton.uuid)),this.material!==void 0)if(Array.isArray(this.material)){let a=[];for(let c=0,l=this.material.length;c<l;c++)a.push(r(t.materials,this.material[c]));s.material=a}else s.material=r(t.materials,this.material);if(this.children.length>0){s.children=[];for(let a=0;a<this.children.length;a++)s.children.push(this.children[a].toJSON(t).object)}if(this.animations.length>0){s.animations=[];for(let a=0;a<this.animations.length;a++){let c=this.animations[a];s.animations.push(r(t.animations,c))}}if(e){let a=o(t.geometries),c=o(t.materials),l=o(t.textures),u=o(t.images),d=o(t.shapes),h=o(t.skeletons),f=o(t.animations),p=o(t.nodes);a.length>0&&(n.geometries=a),c.length>0&&(n.materials=c),l.length>0&&(n.textures=l),u.length>0&&(n.images=u),d.length>0&&(n.shapes=d),h.length>0&&(n.skeletons=h),f.length>0&&(n.animations=f),p.length>0&&(n.nodes=p)}return n.object=s,n;function o(a){let c=[];for(let l in a){let u=a[l];delete u.metadata,c.push(u)}return c}}clone(t){return new this.constructor().copy(this,t)}copy(t,e=!0){if(this.name=t.name,this.up.copy(t.up),this.position.copy(t.position),this.rotation.order=t.rotation.order,this.quaternion.copy(t.quaternion),this.scale.copy(t.scale),this.pivot=t.pivot!==null?t.pivot.clone():null,this.matrix.copy(t.matrix),this.matrixWorld.copy(t.matrixWorld),this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrixWorldAutoUpdate=t.matrixWorldAutoUpdate,this.matrixWorldNeedsUpdate=t.matrixWorldNeedsUpdate,this.layers.mask=t.layers.mask,this.visible=t.visible,this.castShadow=t.castShadow,this.receiveShadow=t.receiveShadow,this.frustumCulled=t.frustumCulled,this.renderOrder=t.renderOrder,this.static=t.static,this.animations=t.animations.slice(),this.userData=JSON.parse(JSON.stringify(t.userData)),e===!0)for(let n=0;n<t.children.length;n++){let s=t.children[n];this.add(s.clone())}return this}dispose(){this.dispatchEvent({type:"dispose"})}};Dn.DEFAULT_UP=new X(0,1,0);Dn.DEFAULT_MATRIX_AUTO_UPDATE=!0;Dn.DEFAULT_MATRIX_WORLD_AUTO_UPDATE=!0;var Di=class extends Dn{constructor(){super(),this.isGroup=!0,this.type="Group"}},Jx={type:"move"},po=class{constructor(){this._targetRay=null,this._grip=null,this._hand=null}getHandSpace(){return this._hand===null&&(this._hand=new Di,this._hand.matrixAutoUpdate=!1,this._hand.visible=!1,this._hand.joints={},this._hand.inputState={pinching:!1}),this._hand}getTargetRaySpace(){return this._targetRay===null&&(this._targetRay=new Di,this._targetRay.matrixAutoUpdate=!1,this._targetRay.visible=!1,this._targetRay.hasLinearVelocity=!1,this._targetRay.linearVelocity=new X,this._targetRay.hasAngularVelocity=!1,this._targetRay.angularVelocity=new X),this._targetRay}getGripSpace(){return this._grip===null&&(this._grip=new Di,this._grip.matrixAutoUpdate=!1,this._grip.visible=!1,this._grip.hasLinearVelocity=!1,this._grip.linearVelocity=new X,this._grip.hasAngularVelocity=!1,this._grip.angularVelocity=new X,this._grip.eventsEnabled=!1),this._grip}dispatchEvent(t){return this._targetRay!==null&&this._targetRay.dispatchEvent(t),this._grip!==null&&this._grip.dispatchEvent(t),this._hand!==null&&this._hand.dispatchEvent(t),this}connect(t){if(t&&t.hand){let e=this._hand;if(e)for(let n of t.hand.values())this._getHandJoint(e,n)}return this.dispatchEvent({type:"connected",data:t}),this}disconnect(t){return this.dispatchEvent({type:"disconnected",data:t}),this._targetRay!==null&&(this._targetRay.visible=!1),this._grip!==null&&(this._grip.visible=!1),this._hand!==null&&(this._hand.visible=!1),this}update(t,e,n){let s=null,r=null,o=null,a=this._targetRay,c=this._grip,l=this._hand;if(t&&e.session.visibilityState!=="visible-blurred"){if(l&&t.hand){o=!0;for(let v of t.hand.values()){let m=e.getJointPose(v,n),g=this._getHandJoint(l,v);m!==null&&(g.matrix.fromArray(m.transform.matrix),g.matrix.decompose(g.position,g.quaternion,g.scale),g.matrixWorldNeedsUpdate=!0,g.jointRadius=m.radius),g.visible=m!==null}let u=l.joints["index-finger-tip"],d=l.joints["thumb-tip"],h=u.position.distanceTo(d.position),f=.02,p=.005;l.inputState.pinching&&h>f+p?(l.inputState.pinching=!1,this.dispatchEvent({type:"pinchend",handedness:t.handedness,target:this})):!l.inputState.pinching&&h<=f-p&&(l.inputState.pinching=!0,this.dispatchEvent({type:"pinchstart",handedness:t.handedness,target:this}))}else c!==null&&t.gripSpace&&(r=e.getPose(t.gripSpace,n),r!==null&&(c.matrix.fromArray(r.transform.matrix),c.matrix.decompose(c.position,c.quaternion,c.scale),c.matrixWorldNeedsUpdate=!0,r.linearVelocity?(c.hasLinearVelocity=!0,c.linearVelocity.copy(r.linearVelocity)):c.hasLinearVelocity=!1,r.angularVelocity?(c.hasAngularVelocity=!0,c.angularVelocity.copy(r.angularVelocity)):c.hasAngularVelocity=!1,c.eventsEnabled&&c.dispatchEvent({type:"gripUpdated",data:t,target:this})));a!==null&&(s=e.getPose(t.targetRaySpace,n),s===null&&r!==null&&(s=r),s!==null&&(a.matrix.fromArray(s.transform.matrix),a.matrix.decompose(a.position,a.quaternion,a.scale),a.matrixWorldNeedsUpdate=!0,s.linearVelocity?(a.hasLinearVelocity=!0,a.linearVelocity.copy(s.linearVelocity)):a.hasLinearVelocity=!1,s.angularVelocity?(a.hasAngularVelocity=!0,a.angularVelocity.copy(s.angularVelocity)):a.hasAngularVelocity=!1,this.dispatchEvent(Jx)))}return a!==null&&(a.visible=s!==null),c!==null&&(c.visible=r!==null),l!==null&&(l.visible=o!==null),this}_getHandJoint(t,e){if(t.joints[e.jointName]===void 0){let n=new Di;n.matrixAutoUpdate=!1,n.visible=!1,t.joints[e.jointName]=n,t.add(n)}return t.joints[e.jointName]}},rg={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074},Bs={h:0,s:0,l:0},gl={h:0,s:0,l:0};function xu(i,t,e){return e<0&&(e+=1),e>1&&(e-=1),e<1/6?i+(t-i)*6*e:e<1/2?t:e<2/3?i+(t-i)*6*(2/3-e):i}var oe=class{constructor(t,e,n){return this.isColor=!0,this.r=1,this.g=1,this.b=1,this.set(t,e,n)}set(t,e,n){if(e===void 0&&n===void 0){let s=t;s&&s.isColor?this.copy(s):typeof s=="number"?this.setHex(s):typeof s=="string"&&this.setStyle(s)}else this.setRGB(t,e,n);return this}setScalar(t){return this.r=t,this.g=t,this.b=t,this}setHex(t,e=ci){return t=Math.floor(t),this.r=(t>>16&255)/255,this.g=(t>>8&255)/255,this.b=(t&255)/255,xe.colorSpaceToWorking(this,e),this}setRGB(t,e,n,s=xe.workingColorSpace){return this.r=t,this.g=e,this.b=n,xe.colorSpaceToWorking(this,s),this}setHSL(t,e,n,s=xe.workingColorSpace){if(t=dd(t,1),e=pe(e,0,1),n=pe(n,0,1),e===0)this.r=this.g=this.b=n;else{let r=n<=.5?n*(1+e):n+e-n*e,o=2*n-r;this.r=xu(o,r,t+1/3),this.g=xu(o,r,t),this.b=xu(o,r,t-1/3)}return xe.colorSpaceToWorking(this,s),this}setStyle(t,e=ci){function n(r){r!==void 0&&parseFloat(r)<1&&qt("Color: Alpha component of "+t+" will be ignored.")}let s;if(s=/^(\w+)\(([^\)]*)\)/.exec(t)){let r,o=s[1],a=s[2];switch(o){case"rgb":case"rgba":if(r=/^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(255,parseInt(r[1],10))/255,Math.min(255,parseInt(r[2],10))/255,Math.min(255,parseInt(r[3],10))/255,e);if(r=/^\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(100,parseFloat(r[1]))/100,Math.min(100,parseFloat(r[2]))/100,Math.min(100,parseFloat(r[3]))/100,e);break;case"hsl":case"hsla":if(r=/^\s*([+-]?(?:\d+(?:\.\d+)?|\.\d+))\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setHSL(parseFloat(r[1])/360,parseFloat(r[2])/100,parseFloat(r[3])/100,e);break;default:qt("Color: Unknown color model "+t)}}else if(s=/^\#([A-Fa-f\d]+)$/.exec(t)){let r=s[1],o=r.length;if(o===3)return this.setRGB(parseInt(r.charAt(0),16)/15,parseInt(r.charAt(1),16)/15,parseInt(r.charAt(2),16)/15,e);if(o===6)return this.setHex(parseInt(r,16),e);qt("Color: Invalid hex color "+t)}else if(t&&t.length>0)return this.setColorName(t,e);return this}setColorName(t,e=ci){let n=rg[t.toLowerCase()];return n!==void 0?this.setHex(n,e):qt("Color: Unknown color "+t),this}clone(){return new this.constructor(this.r,this.g,this.b)}copy(t){return this.r=t.r,this.g=t.g,this.b=t.b,this}copySRGBToLinear(t){return this.r=gs(t.r),this.g=gs(t.g),this.b=gs(t.b),this}copyLinearToSRGB(t){return this.r=ao(t.r),this.g=ao(t.g),this.b=ao(t.b),this}convertSRGBToLinear(){return this.copySRGBToLinear(this),this}convertLinearToSRGB(){return this.copyLinearToSRGB(this),this}getHex(t=ci){return xe.workingToColorSpace(Nn.copy(this),t),Math.round(pe(Nn.r*255,0,255))*65536+Math.round(pe(Nn.g*255,0,255))*256+Math.round(pe(Nn.b*255,0,255))}getHexString(t=ci){return("000000"+this.getHex(t).toString(16)).slice(-6)}getHSL(t,e=xe.workingColorSpace){xe.workingToColorSpace(Nn.copy(this),e);let n=Nn.r,s=Nn.g,r=Nn.b,o=Math.max(n,s,r),a=Math.min(n,s,r),c,l,u=(a+o)/2;if(a===o)c=0,l=0;else{let d=o-a;switch(l=u<=.5?d/(o+a):d/(2-o-a),o){case n:c=(s-r)/d+(s<r?6:0);break;case s:c=(r-n)/d+2;break;case r:c=(n-s)/d+4;break}c/=6}return t.h=c,t.s=l,t.l=u,t}getRGB(t,e=xe.workingColorSpace){return xe.workingToColorSpace(Nn.copy(this),e),t.r=Nn.r,t.g=Nn.g,t.b=Nn.b,t}getStyle(t=ci){xe.workingToColorSpace(Nn.copy(this),t);let e=Nn.r,n=Nn.g,s=Nn.b;return t!==ci?`color(${t} ${e.toFixed(3)} ${n.toFixed(3)} ${s.toFixed(3)})`:`rgb(${Math.round(e*255)},${Math.round(n*255)},${Math.round(s*255)})`}offsetHSL(t,e,n){return this.getHSL(Bs),this.setHSL(Bs.h+t,Bs.s+e,Bs.l+n)}add(t){return this.r+=t.r,this.g+=t.g,this.b+=t.b,this}addColors(t,e){return this.r=t.r+e.r,this.g=t.g+e.g,this.b=t.b+e.b,this}addScalar(t){return this.r+=t,this.g+=t,this.b+=t,this}sub(t){return this.r=Math.max(0,this.r-t.r),this.g=Math.max(0,this.g-t.g),this.b=Math.max(0,this.b-t.b),this}multiply(t){return this.r*=t.r,this.g*=t.g,this.b*=t.b,this}multiplyScalar(t){return this.r*=t,this.g*=t,this.b*=t,this}lerp(t,e){return this.r+=(t.r-this.r)*e,this.g+=(t.g-this.g)*e,this.b+=(t.b-this.b)*e,this}lerpColors(t,e,n){return this.r=t.r+(e.r-t.r)*n,this.g=t.g+(e.g-t.g)*n,this.b=t.b+(e.b-t.b)*n,this}lerpHSL(t,e){this.getHSL(Bs),t.getHSL(gl);let n=ra(Bs.h,gl.h,e),s=ra(Bs.s,gl.s,e),r=ra(Bs.l,gl.l,e);return this.setHSL(n,s,r),this}setFromVector3(t){return this.r=t.x,this.g=t.y,this.b=t.z,this}applyMatrix3(t){let e=this.r,n=this.g,s=this.b,r=t.elements;return this.r=r[0]*e+r[3]*n+r[6]*s,this.g=r[1]*e+r[4]*n+r[7]*s,this.b=r[2]*e+r[5]*n+r[8]*s,this}equals(t){return t.r===this.r&&t.g===this.g&&t.b===this.b}fromArray(t,e=0){return this.r=t[e],this.g=t[e+1],this.b=t[e+2],this}toArray(t=[],e=0){return t[e]=this.r,t[e+1]=this.g,t[e+2]=this.b,t}fromBufferAttribute(t,e){return this.r=t.getX(e),this.g=t.getY(e),this.b=t.getZ(e),this}toJSON(){return this.getHex()}*[Symbol.iterator](){yield this.r,yield this.g,yield this.b}},Nn=new oe;oe.NAMES=rg;var mo=class extends Dn{constructor(){super(),this.isScene=!0,this.type="Scene",this.background=null,this.environment=null,this.fog=null,this.backgroundBlurriness=0,this.backgroundIntensity=1,this.backgroundRotation=new xs,this.environmentIntensity=1,this.environmentRotation=new xs,this.overrideMaterial=null,typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}copy(t,e){return super.copy(t,e),this.background=t.background!==null?t.background.clone():null,this.environment=t.environment!==null?t.environment.clone():null,this.fog=t.fog!==null?t.fog.clone():null,this.backgroundBlurriness=t.backgroundBlurriness,this.backgroundIntensity=t.backgroundIntensity,this.backgroundRotation.copy(t.backgroundRotation),this.environmentIntensity=t.environmentIntensity,this.environmentRotation.copy(t.environmentRotation),this.overrideMaterial=t.overrideMaterial!==null?t.overrideMaterial.clone():null,this.matrixAutoUpdate=t.matrixAutoUpdate,this}toJSON(t){let e=super.toJSON(t);return this.fog!==null&&(e.object.fog=this.fog.toJSON()),e.object.backgroundBlurriness=this.backgroundBlurriness,e.object.backgroundIntensity=this.backgroundIntensity,e.object.backgroundRotation=this.backgroundRotation.toArray(),e.object.environmentIntensity=this.environmentIntensity,e.object.environmentRotation=this.environmentRotation.toArray(),e}},Li=new X,ds=new X,vu=new X,fs=new X,Kr=new X,jr=new X,nm=new X,yu=new X,bu=new X,Su=new X,Mu=new Ye,wu=new Ye,Tu=new Ye,Gs=class i{constructor(t=new X,e=new X,n=new X){this.a=t,this.b=e,this.c=n}static getNormal(t,e,n,s){s.subVectors(n,e),Li.subVectors(t,e),s.cross(Li);let r=s.lengthSq();return r>0?s.multiplyScalar(1/Math.sqrt(r)):s.set(0,0,0)}static getBarycoord(t,e,n,s,r){Li.subVectors(s,e),ds.subVectors(n,e),vu.subVectors(t,e);let o=Li.dot(Li),a=Li.dot(ds),c=Li.dot(vu),l=ds.dot(ds),u=ds.dot(vu),d=o*l-a*a;if(d===0)return r.set(0,0,0),null;let h=1/d,f=(l*c-a*u)*h,p=(o*u-a*c)*h;return r.set(1-f-p,p,f)}static containsPoint(t,e,n,s){return this.getBarycoord(t,e,n,s,fs)===null?!1:fs.x>=0&&fs.y>=0&&fs.x+fs.y<=1}static getInterpolation(t,e,n,s,r,o,a,c){return this.getBarycoord(t,e,n,s,fs)===null?(c.x=0,c.y=0,"z"in c&&(c.z=0),"w"in c&&(c.w=0),null):(c.setScalar(0),c.addScaledVector(r,fs.x),c.addScaledVector(o,fs.y),c.addScaledVector(a,fs.z),c)}static getInterpolatedAttribute(t,e,n,s,r,o){return Mu.setScalar(0),wu.setScalar(0),Tu.setScalar(0),Mu.fromBufferAttribute(t,e),wu.fromBufferAttribute(t,n),Tu.fromBufferAttribute(t,s),o.setScalar(0),o.addScaledVector(Mu,r.x),o.addScaledVector(wu,r.y),o.addScaledVector(Tu,r.z),o}static isFrontFacing(t,e,n,s){return Li.subVectors(n,e),ds.subVectors(t,e),Li.cross(ds).dot(s)<0}set(t,e,n){return this.a.copy(t),this.b.copy(e),this.c.copy(n),this}setFromPointsAndIndices(t,e,n,s){return this.a.copy(t[e]),this.b.copy(t[n]),this.c.copy(t[s]),this}setFromAttributeAndIndices(t,e,n,s){return this.a.fromBufferAttribute(t,e),this.b.fromBufferAttribute(t,n),this.c.fromBufferAttribute(t,s),this}clone(){return new this.constructor().copy(this)}copy(t){return this.a.copy(t.a),this.b.copy(t.b),this.c.copy(t.c),this}getArea(){return Li.subVectors(this.c,this.b),ds.subVectors(this.a,this.b),Li.cross(ds).length()*.5}getMidpoint(t){return t.addVectors(this.a,this.b).add(this.c).multiplyScalar(1/3)}getNormal(t){return i.getNormal(this.a,this.b,this.c,t)}getPlane(t){return t.setFromCoplanarPoints(this.a,this.b,this.c)}getBarycoord(t,e){return i.getBarycoord(t,this.a,this.b,this.c,e)}getInterpolation(t,e,n,s,r){return i.getInterpolation(t,this.a,this.b,this.c,e,n,s,r)}containsPoint(t){return i.containsPoint(t,this.a,this.b,this.c)}isFrontFacing(t){return i.isFrontFacing(this.a,this.b,this.c,t)}intersectsBox(t){return t.intersectsTriangle(this)}closestPointToPoint(t,e){let n=this.a,s=this.b,r=this.c,o,a;Kr.subVectors(s,n),jr.subVectors(r,n),yu.subVectors(t,n);let c=Kr.dot(yu),l=jr.dot(yu);if(c<=0&&l<=0)return e.copy(n);bu.subVectors(t,s);let u=Kr.dot(bu),d=jr.dot(bu);if(u>=0&&d<=u)return e.copy(s);let h=c*d-u*l;if(h<=0&&c>=0&&u<=0&&c-u>0)return o=c/(c-u),e.copy(n).addScaledVector(Kr,o);Su.subVectors(t,r);let f=Kr.dot(Su),p=jr.dot(Su);if(p>=0&&f<=p)return e.copy(r);let v=f*l-c*p;if(v<=0&&l>=0&&p<=0)return a=l/(l-p),e.copy(n).addScaledVector(jr,a);let m=u*p-f*d;if(m<=0&&d-u>=0&&f-p>=0)return nm.subVectors(r,s),a=(d-u)/(d-u+(f-p)),e.copy(s).addScaledVector(nm,a);let g=1/(m+v+h);return o=v*g,a=h*g,e.copy(n).addScaledVector(Kr,o).addScaledVector(jr,a)}equals(t){return t.a.equals(this.a)&&t.b.equals(this.b)&&t.c.equals(this.c)}},Ji=class{constructor(t=new X(1/0,1/0,1/0),e=new X(-1/0,-1/0,-1/0)){this.isBox3=!0,this.min=t,this.max=e}set(t,e){return this.min.copy(t),this.max.copy(e),this}setFromArray(t){this.makeEmpty();for(let e=0,n=t.length;e<n;e+=3)this.expandByPoint(Ni.fromArray(t,e));return this}setFromBufferAttribute(t){this.makeEmpty();for(let e=0,n=t.count;e<n;e++)this.expandByPoint(Ni.fromBufferAttribute(t,e));return this}setFromPoints(t){this.makeEmpty();for(let e=0,n=t.length;e<n;e++)this.expandByPoint(t[e]);return this}setFromCenterAndSize(t,e){let n=Ni.copy(e).multiplyScalar(.5);return this.min.copy(t).sub(n),this.max.copy(t).add(n),this}setFromObject(t,e=!1){return this.makeEmpty(),this.expandByObject(t,e)}clone(){return new this.constructor().copy(this)}copy(t){return this.min.copy(t.min),this.max.copy(t.max),this}makeEmpty(){return this.min.x=this.min.y=this.min.z=1/0,this.max.x=this.max.y=this.max.z=-1/0,this}isEmpty(){return this.max.x<this.min.x||this.max.y<this.min.y||this.max.z<this.min.z}getCenter(t){return this.isEmpty()?t.set(0,0,0):t.addVectors(this.min,this.max).multiplyScalar(.5)}getSize(t){return this.isEmpty()?t.set(0,0,0):t.subVectors(this.max,this.min)}expandByPoint(t){return this.min.min(t),this.max.max(t),this}expandByVector(t){return this.min.sub(t),this.max.add(t),this}expandByScalar(t){return this.min.addScalar(-t),this.max.addScalar(t),this}expandByObject(t,e=!1){t.updateWorldMatrix(!1,!1);let n=t.geometry;if(n!==void 0){let r=n.getAttribute("position");if(e===!0&&r!==void 0&&t.isInstancedMesh!==!0&&t.isBatchedMesh!==!0)for(let o=0,a=r.count;o<a;o++)t.isMesh===!0?t.getVertexPosition(o,Ni):Ni.fromBufferAttribute(r,o),Ni.applyMatrix4(t.matrixWorld),this.expandByPoint(Ni);else t.boundingBox!==void 0?(t.boundingBox===null&&t.computeBoundingBox(),_l.copy(t.boundingBox)):(n.boundingBox===null&&n.computeBoundingBox(),_l.copy(n.boundingBox)),_l.applyMatrix4(t.matrixWorld),this.union(_l)}let s=t.children;for(let r=0,o=s.length;r<o;r++)this.expandByObject(s[r],e);return this}containsPoint(t){return t.x>=this.min.x&&t.x<=this.max.x&&t.y>=this.min.y&&t.y<=this.max.y&&t.z>=this.min.z&&t.z<=this.max.z}containsBox(t){return this.min.x<=t.min.x&&t.max.x<=this.max.x&&this.min.y<=t.min.y&&t.max.y<=this.max.y&&this.min.z<=t.min.z&&t.max.z<=this.max.z}getParameter(t,e){return e.set((t.x-this.min.x)/(this.max.x-this.min.x),(t.y-this.min.y)/(this.max.y-this.min.y),(t.z-this.min.z)/(this.max.z-this.min.z))}intersectsBox(t){return t.max.x>=this.min.x&&t.min.x<=this.max.x&&t.max.y>=this.min.y&&t.min.y<=this.max.y&&t.max.z>=this.min.z&&t.min.z<=this.max.z}intersectsSphere(t){return this.clampPoint(t.center,Ni),Ni.distanceToSquared(t.center)<=t.radius*t.radius}intersectsPlane(t){let e,n;return t.normal.x>0?(e=t.normal.x*this.min.x,n=t.normal.x*this.max.x):(e=t.normal.x*this.max.x,n=t.normal.x*this.min.x),t.normal.y>0?(e+=t.normal.y*this.min.y,n+=t.normal.y*this.max.y):(e+=t.normal.y*this.max.y,n+=t.normal.y*this.min.y),t.normal.z>0?(e+=t.normal.z*this.min.z,n+=t.normal.z*this.max.z):(e+=t.normal.z*this.max.z,n+=t.normal.z*this.min.z),e<=-t.constant&&n>=-t.constant}intersectsTriangle(t){if(this.isEmpty())return!1;this.getCenter(Ko),xl.subVectors(this.max,Ko),Qr.subVectors(t.a,Ko),to.subVectors(t.b,Ko),eo.subVectors(t.c,Ko),ks.subVectors(to,Qr),zs.subVectors(eo,to),ar.subVectors(Qr,eo);let e=[0,-ks.z,ks.y,0,-zs.z,zs.y,0,-ar.z,ar.y,ks.z,0,-ks.x,zs.z,0,-zs.x,ar.z,0,-ar.x,-ks.y,ks.x,0,-zs.y,zs.x,0,-ar.y,ar.x,0];return!Eu(e,Qr,to,eo,xl)||(e=[1,0,0,0,1,0,0,0,1],!Eu(e,Qr,to,eo,xl))?!1:(vl.crossVectors(ks,zs),e=[vl.x,vl.y,vl.z],Eu(e,Qr,to,eo,xl))}clampPoint(t,e){return e.copy(t).clamp(this.min,this.max)}distanceToPoint(t){return this.clampPoint(t,Ni).distanceTo(t)}getBoundingSphere(t){return this.isEmpty()?t.makeEmpty():(this.getCenter(t.center),t.radius=this.getSize(Ni).length()*.5),t}intersect(t){return this.min.max(t.min),this.max.min(t.max),this.isEmpty()&&this.makeEmpty(),this}union(t){return this.min.min(t.min),this.max.max(t.max),this}applyMatrix4(t){return this.isEmpty()?this:(ps[0].set(this.min.x,this.min.y,this.min.z).applyMatrix4(t),ps[1].set(this.min.x,this.min.y,this.max.z).applyMatrix4(t),ps[2].set(this.min.x,this.max.y,this.min.z).applyMatrix4(t),ps[3].set(this.min.x,this.max.y,this.max.z).applyMatrix4(t),ps[4].set(this.max.x,this.min.y,this.min.z).applyMatrix4(t),ps[5].set(this.max.x,this.min.y,this.max.z).applyMatrix4(t),ps[6].set(this.max.x,this.max.y,this.min.z).applyMatrix4(t),ps[7].set(this.max.x,this.max.y,this.max.z).applyMatrix4(t),this.setFromPoints(ps),this)}translate(t){return this.min.add(t),this.max.add(t),this}equals(t){return t.min.equals(this.min)&&t.max.equals(this.max)}toJSON(){return{min:this.min.toArray(),max:this.max.toArray()}}fromJSON(t){return this.min.fromArray(t.min),this.max.fromArray(t.max),this}},ps=[new X,new X,new X,new X,new X,new X,new X,new X],Ni=new X,_l=new Ji,Qr=new X,to=new X,eo=new X,ks=new X,zs=new X,ar=new X,Ko=new X,xl=new X,vl=new X,lr=new X;function Eu(i,t,e,n,s){for(let r=0,o=i.length-3;r<=o;r+=3){lr.fromArray(i,r);let a=s.x*Math.abs(lr.x)+s.y*Math.abs(lr.y)+s.z*Math.abs(lr.z),c=t.dot(lr),l=e.dot(lr),u=n.dot(lr);if(Math.max(-Math.max(c,l,u),Math.min(c,l,u))>a)return!1}return!0}var un=new X,yl=new Kt,Kx=0,ui=class extends Ui{constructor(t,e,n=!1){if(super(),Array.isArray(t))throw new TypeError("THREE.BufferAttribute: array should be a Typed Array.");this.isBufferAttribute=!0,Object.defineProperty(this,"id",{value:Kx++}),this.name="",this.array=t,this.itemSize=e,this.count=t!==void 0?t.length/e:0,this.normalized=n,this.usage=jm,this.updateRanges=[],this.gpuType=Si,this.version=0,this._normalizationScale=t!==void 0?pd(t):void 0}onUploadCallback(){}set needsUpdate(t){t===!0&&this.version++}setUsage(t){return this.usage=t,this}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}copy(t){return this.name=t.name,this.array=new t.array.constructor(t.array),this.itemSize=t.itemSize,this.count=t.count,this.normalized=t.normalized,this.usage=t.usage,this.gpuType=t.gpuType,this._normalizationScale=t._normalizationScale,this}copyAt(t,e,n){t*=this.itemSize,n*=e.itemSize;for(let s=0,r=this.itemSize;s<r;s++)this.array[t+s]=e.array[n+s];return this}copyArray(t){return this.array.set(t),this}applyMatrix3(t){if(this.itemSize===2)for(let e=0,n=this.count;e<n;e++)yl.fromBufferAttribute(this,e),yl.applyMatrix3(t),this.setXY(e,yl.x,yl.y);else if(this.itemSize===3)for(let e=0,n=this.count;e<n;e++)un.fromBufferAttribute(this,e),un.applyMatrix3(t),this.setXYZ(e,un.x,un.y,un.z);return this}applyMatrix4(t){for(let e=0,n=this.count;e<n;e++)un.fromBufferAttribute(this,e),un.applyMatrix4(t),this.setXYZ(e,un.x,un.y,un.z);return this}applyNormalMatrix(t){for(let e=0,n=this.count;e<n;e++)un.fromBufferAttribute(this,e),un.applyNormalMatrix(t),this.setXYZ(e,un.x,un.y,un.z);return this}transformDirection(t){for(let e=0,n=this.count;e<n;e++)un.fromBufferAttribute(this,e),un.transformDirection(t),this.setXYZ(e,un.x,un.y,un.z);return this}set(t,e=0){return this.array.set(t,e),this}getComponent(t,e){let n=this.array[t*this.itemSize+e];return this.normalized&&(n=this._denormalize(n)),n}setComponent(t,e,n){return this.normalized&&(n=this._normalize(n)),this.array[t*this.itemSize+e]=n,this}getX(t){let e=this.array[t*this.itemSize];return this.normalized&&(e=this._denormalize(e)),e}setX(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize]=e,this}getY(t){let e=this.array[t*this.itemSize+1];return this.normalized&&(e=this._denormalize(e)),e}setY(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+1]=e,this}getZ(t){let e=this.array[t*this.itemSize+2];return this.normalized&&(e=this._denormalize(e)),e}setZ(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+2]=e,this}getW(t){let e=this.array[t*this.itemSize+3];return this.normalized&&(e=this._denormalize(e)),e}setW(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+3]=e,this}setXY(t,e,n){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),n=this._normalize(n)),this.array[t+0]=e,this.array[t+1]=n,this}setXYZ(t,e,n,s){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),n=this._normalize(n),s=this._normalize(s)),this.array[t+0]=e,this.array[t+1]=n,this.array[t+2]=s,this}setXYZW(t,e,n,s,r){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),n=this._normalize(n),s=this._normalize(s),r=this._normalize(r)),this.array[t+0]=e,this.array[t+1]=n,this.array[t+2]=s,this.array[t+3]=r,this}onUpload(t){return this.onUploadCallback=t,this}clone(){return new this.constructor(this.array,this.itemSize).copy(this)}toJSON(){let t={itemSize:this.itemSize,type:this.array.constructor.name,array:Array.from(this.array),normalized:this.normalized};return t.name=this.name,t.usage=this.usage,t.gpuType=this.gpuType,t}dispose(){this.dispatchEvent({type:"dispose"})}_denormalize(t){let e=this._normalizationScale;return e!==void 0?Math.max(t/e,-1):ig(t,this.array)}_normalize(t){let e=this._normalizationScale;return e!==void 0?Math.round(t*e):sg(t,this.array)}};var da=class extends ui{constructor(t,e,n){super(new Uint16Array(t),e,n)}};var fa=class extends ui{constructor(t,e,n){super(new Uint32Array(t),e,n)}};var tn=class extends ui{constructor(t,e,n){super(new Float32Array(t),e,n)}},jx=new Ji,jo=new X,Au=new X,vs=class{constructor(t=new X,e=-1){this.isSphere=!0,this.center=t,this.radius=e}set(t,e){return this.center.copy(t),this.radius=e,this}setFromPoints(t,e){let n=this.center;e!==void 0?n.copy(e):jx.setFromPoints(t).getCenter(n);let s=0;for(let r=0,o=t.length;r<o;r++)s=Math.max(s,n.distanceToSquared(t[r]));return this.radius=Math.sqrt(s),this}copy(t){return this.center.copy(t.center),this.radius=t.radius,this}isEmpty(){return this.radius<0}makeEmpty(){return this.center.set(0,0,0),this.radius=-1,this}containsPoint(t){return t.distanceToSquared(this.center)<=this.radius*this.radius}distanceToPoint(t){return t.distanceTo(this.center)-this.radius}intersectsSphere(t){let e=this.radius+t.radius;return t.center.distanceToSquared(this.center)<=e*e}intersectsBox(t){return t.intersectsSphere(this)}intersectsPlane(t){return Math.abs(t.distanceToPoint(this.center))<=this.radius}clampPoint(t,e){let n=this.center.distanceToSquared(t);return e.copy(t),n>this.radius*this.radius&&(e.sub(this.center).normalize(),e.multiplyScalar(this.radius).add(this.center)),e}getBoundingBox(t){return this.isEmpty()?(t.makeEmpty(),t):(t.set(this.center,this.center),t.expandByScalar(this.radius),t)}applyMatrix4(t){return this.center.applyMatrix4(t),this.radius=this.radius*t.getMaxScaleOnAxis(),this}translate(t){return this.center.add(t),this}expandByPoint(t){if(this.isEmpty())return this.center.copy(t),this.radius=0,this;jo.subVectors(t,this.center);let e=jo.lengthSq();if(e>this.radius*this.radius){let n=Math.sqrt(e),s=(n-this.radius)*.5;this.center.addScaledVector(jo,s/n),this.radius+=s}return this}union(t){return t.isEmpty()?this:this.isEmpty()?(this.copy(t),this):(this.center.equals(t.center)===!0?this.radius=Math.max(this.radius,t.radius):(Au.subVectors(t.center,this.center).setLength(t.radius),this.expandByPoint(jo.copy(t.center).add(Au)),this.expandByPoint(jo.copy(t.center).sub(Au))),this)}equals(t){return t.center.equals(this.center)&&t.radius===this.radius}clone(){return new this.constructor().copy(this)}toJSON(){return{radius:this.radius,center:this.center.toArray()}}fromJSON(t){return this.radius=t.radius,this.center.fromArray(t.center),this}},Qx=0,yi=new Se,Ru=new Dn,no=new X,li=new Ji,Qo=new Ji,An=new X,Kn=class i extends Ui{constructor(){super(),this.isBufferGeometry=!0,Object.defineProperty(this,"id",{value:Qx++}),this.uuid=wo(),this.name="",this.type="BufferGeometry",this.index=null,this.indirect=null,this.indirectOffset=0,this.attributes={},this.morphAttributes={},this.morphTargetsRelative=!1,this.groups=[],this.boundingBox=null,this.boundingSphere=null,this.drawRange={start:0,count:1/0},this.userData={},this._transformed=!1}getIndex(){return this.index}setIndex(t){return Array.isArray(t)?this.index=new(wx(t)?fa:da)(t,1):this.index=t,this}setIndirect(t,e=0){return this.indirect=t,this.indirectOffset=e,this}getIndirect(){return this.indirect}getAttribute(t){return this.attributes[t]}setAttribute(t,e){return this.attributes[t]=e,this}deleteAttribute(t){return delete this.attributes[t],this}hasAttribute(t){return this.attributes[t]!==void 0}addGroup(t,e,n=0){this.groups.push({start:t,count:e,materialIndex:n})}clearGroups(){this.groups=[]}setDrawRange(t,e){this.drawRange.start=t,this.drawRange.count=e}applyMatrix4(t){let e=this.attributes.position;e!==void 0&&(e.applyMatrix4(t),e.needsUpdate=!0);let n=this.attributes.normal;if(n!==void 0){let r=new te().getNormalMatrix(t);n.applyNormalMatrix(r),n.needsUpdate=!0}let s=this.attributes.tangent;return s!==void 0&&(s.transformDirection(t),s.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this._transformed=!0,this}applyQuaternion(t){return yi.makeRotationFromQuaternion(t),this.applyMatrix4(yi),this}rotateX(t){return yi.makeRotationX(t),this.applyMatrix4(yi),this}rotateY(t){return yi.makeRotationY(t),this.applyMatrix4(yi),this}rotateZ(t){return yi.makeRotationZ(t),this.applyMatrix4(yi),this}translate(t,e,n){return yi.makeTranslation(t,e,n),this.applyMatrix4(yi),this}scale(t,e,n){return yi.makeScale(t,e,n),this.applyMatrix4(yi),this}lookAt(t){return Ru.lookAt(t),Ru.updateMatrix(),this.applyMatrix4(Ru.matrix),this}center(){return this.computeBoundingBox(),this.boundingBox.getCenter(no).negate(),this.translate(no.x,no.y,no.z),this}setFromPoints(t){let e=this.getAttribute("position");if(e===void 0){let n=[];for(let s=0,r=t.length;s<r;s++){let o=t[s];n.push(o.x,o.y,o.z||0)}this.setAttribute("position",new tn(n,3))}else{let n=Math.min(t.length,e.count);for(let s=0;s<n;s++){let r=t[s];e.setXYZ(s,r.x,r.y,r.z||0)}t.length>e.count&&qt("BufferGeometry: Buffer size too small for points data. Use .dispose() and create a new geometry."),e.needsUpdate=!0}return this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new Ji);let t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){Qt("BufferGeometry.computeBoundingBox(): GLBufferAttribute requires a manual bounding box.",this),this.boundingBox.set(new X(-1/0,-1/0,-1/0),new X(1/0,1/0,1/0));return}if(t!==void 0){if(this.boundingBox.setFromBufferAttribute(t),e)for(let n=0,s=e.length;n<s;n++){let r=e[n];li.setFromBufferAttribute(r),this.morphTargetsRelative?(An.addVectors(this.boundingBox.min,li.min),this.boundingBox.expandByPoint(An),An.addVectors(this.boundingBox.max,li.max),this.boundingBox.expandByPoint(An)):(this.boundingBox.expandByPoint(li.min),this.boundingBox.expandByPoint(li.max))}}else this.boundingBox.makeEmpty();(isNaN(this.boundingBox.min.x)||isNaN(this.boundingBox.min.y)||isNaN(this.boundingBox.min.z))&&Qt('BufferGeometry.computeBoundingBox(): Computed min/max have NaN values. The "position" attribute is likely to have NaN values.',this)}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new vs);let t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){Qt("BufferGeometry.computeBoundingSphere(): GLBufferAttribute requires a manual bounding sphere.",this),this.boundingSphere.set(new X,1/0);return}if(t){let n=this.boundingSphere.center;if(li.setFromBufferAttribute(t),e)for(let r=0,o=e.length;r<o;r++){let a=e[r];Qo.setFromBufferAttribute(a),this.morphTargetsRelative?(An.addVectors(li.min,Qo.min),li.expandByPoint(An),An.addVectors(li.max,Qo.max),li.expandByPoint(An)):(li.expandByPoint(Qo.min),li.expandByPoint(Qo.max))}li.getCenter(n);let s=0;for(let r=0,o=t.count;r<o;r++)An.fromBufferAttribute(t,r),s=Math.max(s,n.distanceToSquared(An));if(e)for(let r=0,o=e.length;r<o;r++){let a=e[r],c=this.morphTargetsRelative;for(let l=0,u=a.count;l<u;l++)An.fromBufferAttribute(a,l),c&&(no.fromBufferAttribute(t,l),An.add(no)),s=Math.max(s,n.distanceToSquared(An))}this.boundingSphere.radius=Math.sqrt(s),isNaN(this.boundingSphere.radius)&&Qt('BufferGeometry.computeBoundingSphere(): Computed radius is NaN. The "position" attribute is likely to have NaN values.',this)}}computeTangents(){let t=this.index,e=this.attributes;if(t===null||e.position===void 0||e.normal===void 0||e.uv===void 0){Qt("BufferGeometry: .computeTangents() failed. Missing required attributes (index, position, normal or uv)");return}let n=e.position,s=e.normal,r=e.uv,o=this.getAttribute("tangent");(o===void 0||o.count!==n.count)&&(o=new ui(new Float32Array(4*n.count),4),this.setAttribute("tangent",o));let a=[],c=[],l=new Uint8Array(n.count);for(let k=0;k<n.count;k++)a[k]=new X,c[k]=new X;let u=new X,d=new X,h=new X,f=new Kt,p=new Kt,v=new Kt,m=new X,g=new X;function y(k,U,N){l[k]=l[U]=l[N]=1,u.fromBufferAttribute(n,k),d.fromBufferAttribute(n,U),h.fromBufferAttribute(n,N),f.fromBufferAttribute(r,k),p.fromBufferAttribute(r,U),v.fromBufferAttribute(r,N),d.sub(u),h.sub(u),p.sub(f),v.sub(f);let z=1/(p.x*v.y-v.x*p.y);isFinite(z)&&(m.copy(d).multiplyScalar(v.y).addScaledVector(h,-p.y).multiplyScalar(z),g.copy(h).multiplyScalar(p.x).addScaledVector(d,-v.x).multiplyScalar(z),a[k].add(m),a[U].add(m),a[N].add(m),c[k].add(g),c[U].add(g),c[N].add(g))}let A=this.groups;A.length===0&&(A=[{start:0,count:t.count}]);for(let k=0,U=A.length;k<U;++k){let N=A[k],z=N.start,H=N.count;for(let L=z,W=z+H;L<W;L+=3)y(t.getX(L+0),t.getX(L+1),t.getX(L+2))}let w=new X,P=new X,E=new X,x=new X;function T(k){E.fromBufferAttribute(s,k),x.copy(E);let U=a[k];w.copy(U),w.sub(E.multiplyScalar(E.dot(U))).normalize(),P.crossVectors(x,U);let z=P.dot(c[k])<0?-1:1;o.setXYZW(k,w.x,w.y,w.z,z)}for(let k=0,U=n.count;k<U;++k)l[k]&&T(k);this._transformed=!0}computeVertexNormals(){let t=this.index,e=this.getAttribute("position");if(e!==void 0){let n=this.getAttribute("normal");if(n===void 0||n.count!==e.count)n=new ui(new Float32Array(e.count*3),3),this.setAttribute("normal",n);else for(let h=0,f=n.count;h<f;h++)n.setXYZ(h,0,0,0);let s=new X,r=new X,o=new X,a=new X,c=new X,l=new X,u=new X,d=new X;if(t)for(let h=0,f=t.count;h<f;h+=3){let p=t.getX(h+0),v=t.getX(h+1),m=t.getX(h+2);s.fromBufferAttribute(e,p),r.fromBufferAttribute(e,v),o.fromBufferAttribute(e,m),u.subVectors(o,r),d.subVectors(s,r),u.cross(d),a.fromBufferAttribute(n,p),c.fromBufferAttribute(n,v),l.fromBufferAttribute(n,m),a.add(u),c.add(u),l.add(u),n.setXYZ(p,a.x,a.y,a.z),n.setXYZ(v,c.x,c.y,c.z),n.setXYZ(m,l.x,l.y,l.z)}else for(let h=0,f=e.count;h<f;h+=3)s.fromBufferAttribute(e,h+0),r.fromBufferAttribute(e,h+1),o.fromBufferAttribute(e,h+2),u.subVectors(o,r),d.subVectors(s,r),u.cross(d),n.setXYZ(h+0,u.x,u.y,u.z),n.setXYZ(h+1,u.x,u.y,u.z),n.setXYZ(h+2,u.x,u.y,u.z);this.normalizeNormals(),n.needsUpdate=!0}}normalizeNormals(){let t=this.attributes.normal;for(let e=0,n=t.count;e<n;e++)An.fromBufferAttribute(t,e),An.normalize(),t.setXYZ(e,An.x,An.y,An.z)}toNonIndexed(){function t(a,c){let l=a.array,u=a.itemSize,d=a.normalized,h=new l.constructor(c.length*u),f=0,p=0;for(let v=0,m=c.length;v<m;v++){a.isInterleavedBufferAttribute?f=c[v]*a.data.stride+a.offset:f=c[v]*u;for(let g=0;g<u;g++)h[p++]=l[f++]}return new ui(h,u,d)}if(this.index===null)return qt("BufferGeometry.toNonIndexed(): BufferGeometry is already non-indexed."),this;let e=new i,n=this.index.array,s=this.attributes;for(let a in s){let c=s[a],l=t(c,n);e.setAttribute(a,l)}let r=this.morphAttributes;for(let a in r){let c=[],l=r[a];for(let u=0,d=l.length;u<d;u++){let h=l[u],f=t(h,n);c.push(f)}e.morphAttributes[a]=c}e.morphTargetsRelative=this.morphTargetsRelative;let o=this.groups;for(let a=0,c=o.length;a<c;a++){let l=o[a];e.addGroup(l.start,l.count,l.materialIndex)}return e}toJSON(){let t={metadata:{version:4.7,type:"BufferGeometry",generator:"BufferGeometry.toJSON"}};if(t.uuid=this.uuid,t.type=this.parameters!==void 0&&this._transformed===!0?"BufferGeometry":this.type,t.name=this.name,Object.keys(this.userData).length>0&&(t.userData=this.userData),this.parameters!==void 0&&this._transformed!==!0){let c=this.parameters;for(let l in c)c[l]!==void 0&&(t[l]=c[l]);return t}t.data={attributes:{}};let e=this.index;e!==null&&(t.data.index={type:e.array.constructor.name,array:Array.prototype.slice.call(e.array)});let n=this.attributes;for(let c in n){let l=n[c];t.data.attributes[c]=l.toJSON(t.data)}let s={},r=!1;for(let c in this.morphAttributes){let l=this.morphAttributes[c],u=[];for(let d=0,h=l.length;d<h;d++){let f=l[d];u.push(f.toJSON(t.data))}u.length>0&&(s[c]=u,r=!0)}r&&(t.data.morphAttributes=s,t.data.morphTargetsRelative=this.morphTargetsRelative);let o=this.groups;o.length>0&&(t.data.groups=JSON.parse(JSON.stringify(o)));let a=this.boundingSphere;return a!==null&&(t.data.boundingSphere=a.toJSON()),t}clone(){return new this.constructor().copy(this)}copy(t){this.index=null,this.attributes={},this.morphAttributes={},this.groups=[],this.boundingBox=null,this.boundingSphere=null;let e={};this.name=t.name;let n=t.index;n!==null&&this.setIndex(n.clone());let s=t.attributes;for(let l in s){let u=s[l];this.setAttribute(l,u.clone(e))}let r=t.morphAttributes;for(let l in r){let u=[],d=r[l];for(let h=0,f=d.length;h<f;h++)u.push(d[h].clone(e));this.morphAttributes[l]=u}this.morphTargetsRelative=t.morphTargetsRelative;let o=t.groups;for(let l=0,u=o.length;l<u;l++){let d=o[l];this.addGroup(d.start,d.count,d.materialIndex)}let a=t.boundingBox;a!==null&&(this.boundingBox=a.clone());let c=t.boundingSphere;return c!==null&&(this.boundingSphere=c.clone()),this.drawRange.start=t.drawRange.start,this.drawRange.count=t.drawRange.count,this.userData=t.userData,this._transformed=t._transformed,this}dispose(){this.dispatchEvent({type:"dispose"})}};var Cu=new X,tv=new X,ev=new te,hi=class{constructor(t=new X(1,0,0),e=0){this.isPlane=!0,this.normal=t,this.constant=e}set(t,e){return this.normal.copy(t),this.constant=e,this}setComponents(t,e,n,s){return this.normal.set(t,e,n),this.constant=s,this}setFromNormalAndCoplanarPoint(t,e){return this.normal.copy(t),this.constant=-e.dot(this.normal),this}setFromCoplanarPoints(t,e,n){let s=Cu.subVectors(n,e).cross(tv.subVectors(t,e)).normalize();return this.setFromNormalAndCoplanarPoint(s,t),this}copy(t){return this.normal.copy(t.normal),this.constant=t.constant,this}normalize(){let t=1/this.normal.length();return this.normal.multiplyScalar(t),this.constant*=t,this}negate(){return this.constant*=-1,this.normal.negate(),this}distanceToPoint(t){return this.normal.dot(t)+this.constant}distanceToSphere(t){return this.distanceToPoint(t.center)-t.radius}projectPoint(t,e){return e.copy(t).addScaledVector(this.normal,-this.distanceToPoint(t))}intersectLine(t,e,n=!0){let s=t.delta(Cu),r=this.normal.dot(s);if(r===0)return this.distanceToPoint(t.start)===0?e.copy(t.start):null;let o=-(t.start.dot(this.normal)+this.constant)/r;return n===!0&&(o<0||o>1)?null:e.copy(t.start).addScaledVector(s,o)}intersectsLine(t){let e=this.distanceToPoint(t.start),n=this.distanceToPoint(t.end);return e<0&&n>0||n<0&&e>0}intersectsBox(t){return t.intersectsPlane(this)}intersectsSphere(t){return t.intersectsPlane(this)}coplanarPoint(t){return t.copy(this.normal).multiplyScalar(-this.constant)}applyMatrix4(t,e){let n=e||ev.getNormalMatrix(t),s=this.coplanarPoint(Cu).applyMatrix4(t),r=this.normal.applyMatrix3(n).normalize();return this.constant=-s.dot(r),this}translate(t){return this.constant-=t.dot(this.normal),this}equals(t){return t.normal.equals(this.normal)&&t.constant===this.constant}clone(){return new this.constructor().copy(this)}toJSON(){return{normal:this.normal.toArray(),constant:this.constant}}fromJSON(t){return this.normal.fromArray(t.normal),this.constant=t.constant,this}},nv=0,ys=class extends Ui{constructor(){super(),this.isMaterial=!0,Object.defineProperty(this,"id",{value:nv++}),this.uuid=wo(),this.name="",this.type="Material",this.blending=bo,this.side=Zs,this.vertexColors=!1,this.opacity=1,this.transparent=!1,this.alphaHash=!1,this.blendSrc=Xu,this.blendDst=qu,this.blendEquation=_r,this.blendSrcAlpha=null,this.blendDstAlpha=null,this.blendEquationAlpha=null,this.blendColor=new oe(0,0,0),this.blendAlpha=0,this.depthFunc=lo,this.depthTest=!0,this.depthWrite=!0,this.stencilWriteMask=255,this.stencilFunc=qm,this.stencilRef=0,this.stencilFuncMask=255,this.stencilFail=Bl,this.stencilZFail=Bl,this.stencilZPass=Bl,this.stencilWrite=!1,this.clippingPlanes=null,this.clipIntersection=!1,this.clipShadows=!1,this.shadowSide=null,this.colorWrite=!0,this.precision=null,this.polygonOffset=!1,this.polygonOffsetFactor=0,this.polygonOffsetUnits=0,this.dithering=!1,this.alphaToCoverage=!1,this.premultipliedAlpha=!1,this.forceSinglePass=!1,this.allowOverride=!0,this.visible=!0,this.toneMapped=!0,this.userData={},this.version=0,this._alphaTest=0}get alphaTest(){return this._alphaTest}set alphaTest(t){this._alphaTest>0!=t>0&&this.version++,this._alphaTest=t}onBeforeRender(){}onBeforeCompile(){}customProgramCacheKey(){return this.onBeforeCompile.toString()}setValues(t){if(t!==void 0)for(let e in t){let n=t[e];if(n===void 0){qt(`Material: parameter '${e}' has value of undefined.`);continue}let s=this[e];if(s===void 0){qt(`Material: '${e}' is not a property of THREE.${this.type}.`);continue}s&&s.isColor?s.set(n):s&&s.isVector2&&n&&n.isVector2||s&&s.isEuler&&n&&n.isEuler||s&&s.isVector3&&n&&n.isVector3?s.copy(n):this[e]=n}}toJSON(t){let e=t===void 0||typeof t=="string";e&&(t={textures:{},images:{}});let n={metadata:{version:4.7,type:"Material",generator:"Material.toJSON"}};n.uuid=this.uuid,n.type=this.type,n.blending=this.blending,n.side=this.side,n.shadowSide=this.shadowSide,n.vertexColors=this.vertexColors,n.opacity=this.opacity,n.transparent=this.transparent,n.blendSrc=this.blendSrc,n.blendDst=this.blendDst,n.blendEquation=this.blendEquation,n.blendSrcAlpha=this.blendSrcAlpha,n.blendDstAlpha=this.blendDstAlpha,n.blendEquationAlpha=this.blendEquationAlpha,n.blendColor=this.blendColor.getHex(),n.blendAlpha=this.blendAlpha,n.depthFunc=this.depthFunc,n.depthTest=this.depthTest,n.depthWrite=this.depthWrite,n.colorWrite=this.colorWrite,n.clipIntersection=this.clipIntersection,n.clipShadows=this.clipShadows,n.stencilWriteMask=this.stencilWriteMask,n.stencilFunc=this.stencilFunc,n.stencilRef=this.stencilRef,n.stencilFuncMask=this.stencilFuncMask,n.stencilFail=this.stencilFail,n.stencilZFail=this.stencilZFail,n.stencilZPass=this.stencilZPass,n.stencilWrite=this.stencilWrite,n.polygonOffset=this.polygonOffset,n.polygonOffsetFactor=this.polygonOffsetFactor,n.polygonOffsetUnits=this.polygonOffsetUnits,n.dithering=this.dithering,n.alphaTest=this.alphaTest,n.alphaHash=this.alphaHash,n.alphaToCoverage=this.alphaToCoverage,n.premultipliedAlpha=this.premultipliedAlpha,n.forceSinglePass=this.forceSinglePass,n.allowOverride=this.allowOverride,n.visible=this.visible,n.toneMapped=this.toneMapped,n.name=this.name,this.color&&this.color.isColor&&(n.color=this.color.getHex()),this.roughness!==void 0&&(n.roughness=this.roughness),this.metalness!==void 0&&(n.metalness=this.metalness),this.sheen!==void 0&&(n.sheen=this.sheen),this.sheenColor&&this.sheenColor.isColor&&(n.sheenColor=this.sheenColor.getHex()),this.sheenRoughness!==void 0&&(n.sheenRoughness=this.sheenRoughness),this.emissive&&this.emissive.isColor&&(n.emissive=this.emissive.getHex()),this.emissiveIntensity!==void 0&&(n.emissiveIntensity=this.emissiveIntensity),this.specular&&this.specular.isColor&&(n.specular=this.specular.getHex()),this.specularIntensity!==void 0&&(n.specularIntensity=this.specularIntensity),this.specularColor&&this.specularColor.isColor&&(n.specularColor=this.specularColor.getHex()),this.shininess!==void 0&&(n.shininess=this.shininess),this.clearcoat!==void 0&&(n.clearcoat=this.clearcoat),this.clearcoatRoughness!==void 0&&(n.clearcoatRoughness=this.clearcoatRoughness),this.diffuseRoughness!==void 0&&(n.diffuseRoughness=this.diffuseRoughness),this.diffuseRoughnessMap&&this.diffuseRoughnessMap.isTexture&&(n.diffuseRoughnessMap=this.diffuseRoughnessMap.toJSON(t).uuid),this.clearcoatMap&&this.clearcoatMap.isTexture&&(n.clearcoatMap=this.clearcoatMap.toJSON(t).uuid),this.clearcoatRoughnessMap&&this.clearcoatRoughnessMap.isTexture&&(n.clearcoatRoughnessMap=this.clearcoatRoughnessMap.toJSON(t).uuid),this.clearcoatNormalMap&&this.clearcoatNormalMap.isTexture&&(n.clearcoatNormalMap=this.clearcoatNormalMap.toJSON(t).uuid,n.clearcoatNormalScale=this.clearcoatNormalScale.toArray()),this.sheenColorMap&&this.sheenColorMap.isTexture&&(n.sheenColorMap=this.sheenColorMap.toJSON(t).uuid),this.sheenRoughnessMap&&this.sheenRoughnessMap.isTexture&&(n.sheenRoughnessMap=this.sheenRoughnessMap.toJSON(t).uuid),this.dispersion!==void 0&&(n.dispersion=this.dispersion),this.retroreflectivity!==void 0&&(n.retroreflectivity=this.retroreflectivity),this.iridescence!==void 0&&(n.iridescence=this.iridescence),this.iridescenceIOR!==void 0&&(n.iridescenceIOR=this.iridescenceIOR),this.iridescenceThicknessMinimum!==void 0&&(n.iridescenceThicknessMinimum=this.iridescenceThicknessMinimum),this.iridescenceThicknessMaximum!==void 0&&(n.iridescenceThicknessMaximum=this.iridescenceThicknessMaximum),this.iridescenceMap&&this.iridescenceMap.isTexture&&(n.iridescenceMap=this.iridescenceMap.toJSON(t).uuid),this.iridescenceThicknessMap&&this.iridescenceThicknessMap.isTexture&&(n.iridescenceThicknessMap=this.iridescenceThicknessMap.toJSON(t).uuid),this.anisotropy!==void 0&&(n.anisotropy=this.anisotropy),this.anisotropyRotation!==void 0&&(n.anisotropyRotation=this.anisotropyRotation),this.anisotropyMap&&this.anisotropyMap.isTexture&&(n.anisotropyMap=this.anisotropyMap.toJSON(t).uuid),this.map&&this.map.isTexture&&(n.map=this.map.toJSON(t).uuid),this.matcap&&this.matcap.isTexture&&(n.matcap=this.matcap.toJSON(t).uuid),this.alphaMap&&this.alphaMap.isTexture&&(n.alphaMap=this.alphaMap.toJSON(t).uuid),this.lightMap&&this.lightMap.isTexture&&(n.lightMap=this.lightMap.toJSON(t).uuid,n.lightMapIntensity=this.lightMapIntensity),this.aoMap&&this.aoMap.isTexture&&(n.aoMap=this.aoMap.toJSON(t).uuid,n.aoMapIntensity=this.aoMapIntensity),this.bumpMap&&this.bumpMap.isTexture&&(n.bumpMap=this.bumpMap.toJSON(t).uuid,n.bumpScale=this.bumpScale),this.normalMap&&this.normalMap.isTexture&&(n.normalMap=this.normalMap.toJSON(t).uuid,n.normalMapType=this.normalMapType,n.normalScale=this.normalScale.toArray()),this.displacementMap&&this.displacementMap.isTexture&&(n.displacementMap=this.displacementMap.toJSON(t).uuid,n.displacementScale=this.displacementScale,n.displacementBias=this.displacementBias),this.roughnessMap&&this.roughnessMap.isTexture&&(n.roughnessMap=this.roughnessMap.toJSON(t).uuid),this.metalnessMap&&this.metalnessMap.isTexture&&(n.metalnessMap=this.metalnessMap.toJSON(t).uuid),this.emissiveMap&&this.emissiveMap.isTexture&&(n.emissiveMap=this.emissiveMap.toJSON(t).uuid),this.specularMap&&this.specularMap.isTexture&&(n.specularMap=this.specularMap.toJSON(t).uuid),this.specularIntensityMap&&this.specularIntensityMap.isTexture&&(n.specularIntensityMap=this.specularIntensityMap.toJSON(t).uuid),this.specularColorMap&&this.specularColorMap.isTexture&&(n.specularColorMap=this.specularColorMap.toJSON(t).uuid),this.envMap&&this.envMap.isTexture&&(n.envMap=this.envMap.toJSON(t).uuid,this.combine!==void 0&&(n.combine=this.combine)),this.envMapRotation!==void 0&&(n.envMapRotation=this.envMapRotation.toArray()),this.envMapIntensity!==void 0&&(n.envMapIntensity=this.envMapIntensity),this.reflectivity!==void 0&&(n.reflectivity=this.reflectivity),this.refractionRatio!==void 0&&(n.refractionRatio=this.refractionRatio),this.gradientMap&&this.gradientMap.isTexture&&(n.gradientMap=this.gradientMap.toJSON(t).uuid),this.transmission!==void 0&&(n.transmission=this.transmission),this.transmissionMap&&this.transmissionMap.isTexture&&(n.transmissionMap=this.transmissionMap.toJSON(t).uuid),this.thickness!==void 0&&(n.thickness=this.thickness),this.thicknessMap&&this.thicknessMap.isTexture&&(n.thicknessMap=this.thicknessMap.toJSON(t).uuid),this.attenuationDistance!==void 0&&(n.attenuationDistance=this.attenuationDistance),this.attenuationColor!==void 0&&(n.attenuationColor=this.attenuationColor.getHex()),this.size!==void 0&&(n.size=this.size),this.sizeAttenuation!==void 0&&(n.sizeAttenuation=this.sizeAttenuation),Array.isArray(this.clippingPlanes)&&this.clippingPlanes.length>0&&(n.clippingPlanes=this.clippingPlanes.map(r=>r.toJSON())),this.rotation!==void 0&&(n.rotation=this.rotation),this.depthPacking!==void 0&&(n.depthPacking=this.depthPacking),this.linewidth!==void 0&&(n.linewidth=this.linewidth),this.linecap!==void 0&&(n.linecap=this.linecap),this.linejoin!==void 0&&(n.linejoin=this.linejoin),this.dashSize!==void 0&&(n.dashSize=this.dashSize),this.gapSize!==void 0&&(n.gapSize=this.gapSize),this.scale!==void 0&&(n.scale=this.scale),this.wireframe!==void 0&&(n.wireframe=this.wireframe),this.wireframeLinewidth!==void 0&&(n.wireframeLinewidth=this.wireframeLinewidth),this.wireframeLinecap!==void 0&&(n.wireframeLinecap=this.wireframeLinecap),this.wireframeLinejoin!==void 0&&(n.wireframeLinejoin=this.wireframeLinejoin),this.flatShading!==void 0&&(n.flatShading=this.flatShading),this.fog!==void 0&&(n.fog=this.fog),Object.keys(this.userData).length>0&&(n.userData=this.userData);function s(r){let o=[];for(let a in r){let c=r[a];delete c.metadata,o.push(c)}return o}if(e){let r=s(t.textures),o=s(t.images);r.length>0&&(n.textures=r),o.length>0&&(n.images=o)}return n}fromJSON(t,e){if(t.uuid!==void 0&&(this.uuid=t.uuid),t.name!==void 0&&(this.name=t.name),t.color!==void 0&&this.color!==void 0&&this.color.setHex(t.color),t.roughness!==void 0&&(this.roughness=t.roughness),t.metalness!==void 0&&(this.metalness=t.metalness),t.sheen!==void 0&&(this.sheen=t.sheen),t.sheenColor!==void 0&&(this.sheenColor=new oe().setHex(t.sheenColor)),t.sheenRoughness!==void 0&&(this.sheenRoughness=t.sheenRoughness),t.emissive!==void 0&&this.emissive!==void 0&&this.emissive.setHex(t.emissive),t.specular!==void 0&&this.specular!==void 0&&this.specular.setHex(t.specular),t.specularIntensity!==void 0&&(this.specularIntensity=t.specularIntensity),t.specularColor!==void 0&&this.specularColor!==void 0&&this.specularColor.setHex(t.specularColor),t.shininess!==void 0&&(this.shininess=t.shininess),t.clearcoat!==void 0&&(this.clearcoat=t.clearcoat),t.clearcoatRoughness!==void 0&&(this.clearcoatRoughness=t.clearcoatRoughness),t.diffuseRoughness!==void 0&&(this.diffuseRoughness=t.diffuseRoughness),t.dispersion!==void 0&&(this.dispersion=t.dispersion),t.retroreflectivity!==void 0&&(this.retroreflectivity=t.retroreflectivity),t.iridescence!==void 0&&(this.iridescence=t.iridescence),t.iridescenceIOR!==void 0&&(this.iridescenceIOR=t.iridescenceIOR),t.iridescenceThicknessMinimum!==void 0&&(this.iridescenceThicknessMinimum=t.iridescenceThicknessMinimum),t.iridescenceThicknessMaximum!==void 0&&(this.iridescenceThicknessMaximum=t.iridescenceThicknessMaximum),t.iridescenceThicknessRange!==void 0&&(this.iridescenceThicknessMinimum=t.iridescenceThicknessRange[0],this.iridescenceThicknessMaximum=t.iridescenceThicknessRange[1]),t.transmission!==void 0&&(this.transmission=t.transmission),t.thickness!==void 0&&(this.thickness=t.thickness),t.attenuationDistance!==void 0&&(this.attenuationDistance=t.attenuationDistance),t.attenuationColor!==void 0&&this.attenuationColor!==void 0&&this.attenuationColor.setHex(t.attenuationColor),t.anisotropy!==void 0&&(this.anisotropy=t.anisotropy),t.anisotropyRotation!==void 0&&(this.anisotropyRotation=t.anisotropyRotation),t.fog!==void 0&&(this.fog=t.fog),t.flatShading!==void 0&&(this.flatShading=t.flatShading),t.blending!==void 0&&(this.blending=t.blending),t.combine!==void 0&&(this.combine=t.combine),t.side!==void 0&&(this.side=t.side),t.shadowSide!==void 0&&(this.shadowSide=t.shadowSide),t.opacity!==void 0&&(this.opacity=t.opacity),t.transparent!==void 0&&(this.transparent=t.transparent),t.alphaTest!==void 0&&(this.alphaTest=t.alphaTest),t.alphaHash!==void 0&&(this.alphaHash=t.alphaHash),t.depthFunc!==void 0&&(this.depthFunc=t.depthFunc),t.depthTest!==void 0&&(this.depthTest=t.depthTest),t.depthWrite!==void 0&&(this.depthWrite=t.depthWrite),t.colorWrite!==void 0&&(this.colorWrite=t.colorWrite),t.clippingPlanes!==void 0&&(this.clippingPlanes=t.clippingPlanes.map(n=>new hi().fromJSON(n))),t.clipIntersection!==void 0&&(this.clipIntersection=t.clipIntersection),t.clipShadows!==void 0&&(this.clipShadows=t.clipShadows),t.depthPacking!==void 0&&(this.depthPacking=t.depthPacking),t.blendSrc!==void 0&&(this.blendSrc=t.blendSrc),t.blendDst!==void 0&&(this.blendDst=t.blendDst),t.blendEquation!==void 0&&(this.blendEquation=t.blendEquation),t.blendSrcAlpha!==void 0&&(this.blendSrcAlpha=t.blendSrcAlpha),t.blendDstAlpha!==void 0&&(this.blendDstAlpha=t.blendDstAlpha),t.blendEquationAlpha!==void 0&&(this.blendEquationAlpha=t.blendEquationAlpha),t.blendColor!==void 0&&this.blendColor!==void 0&&this.blendColor.setHex(t.blendColor),t.blendAlpha!==void 0&&(this.blendAlpha=t.blendAlpha),t.stencilWriteMask!==void 0&&(this.stencilWriteMask=t.stencilWriteMask),t.stencilFunc!==void 0&&(this.stencilFunc=t.stencilFunc),t.stencilRef!==void 0&&(this.stencilRef=t.stencilRef),t.stencilFuncMask!==void 0&&(this.stencilFuncMask=t.stencilFuncMask),t.stencilFail!==void 0&&(this.stencilFail=t.stencilFail),t.stencilZFail!==void 0&&(this.stencilZFail=t.stencilZFail),t.stencilZPass!==void 0&&(this.stencilZPass=t.stencilZPass),t.stencilWrite!==void 0&&(this.stencilWrite=t.stencilWrite),t.wireframe!==void 0&&(this.wireframe=t.wireframe),t.wireframeLinewidth!==void 0&&(this.wireframeLinewidth=t.wireframeLinewidth),t.wireframeLinecap!==void 0&&(this.wireframeLinecap=t.wireframeLinecap),t.wireframeLinejoin!==void 0&&(this.wireframeLinejoin=t.wireframeLinejoin),t.rotation!==void 0&&(this.rotation=t.rotation),t.linewidth!==void 0&&(this.linewidth=t.linewidth),t.linecap!==void 0&&(this.linecap=t.linecap),t.linejoin!==void 0&&(this.linejoin=t.linejoin),t.dashSize!==void 0&&(this.dashSize=t.dashSize),t.gapSize!==void 0&&(this.gapSize=t.gapSize),t.scale!==void 0&&(this.scale=t.scale),t.polygonOffset!==void 0&&(this.polygonOffset=t.polygonOffset),t.polygonOffsetFactor!==void 0&&(this.polygonOffsetFactor=t.polygonOffsetFactor),t.polygonOffsetUnits!==void 0&&(this.polygonOffsetUnits=t.polygonOffsetUnits),t.dithering!==void 0&&(this.dithering=t.dithering),t.alphaToCoverage!==void 0&&(this.alphaToCoverage=t.alphaToCoverage),t.premultipliedAlpha!==void 0&&(this.premultipliedAlpha=t.premultipliedAlpha),t.forceSinglePass!==void 0&&(this.forceSinglePass=t.forceSinglePass),t.allowOverride!==void 0&&(this.allowOverride=t.allowOverride),t.visible!==void 0&&(this.visible=t.visible),t.toneMapped!==void 0&&(this.toneMapped=t.toneMapped),t.userData!==void 0&&(this.userData=t.userData),t.vertexColors!==void 0&&(typeof t.vertexColors=="number"?this.vertexColors=t.vertexColors>0:this.vertexColors=t.vertexColors),t.size!==void 0&&(this.size=t.size),t.sizeAttenuation!==void 0&&(this.sizeAttenuation=t.sizeAttenuation),t.map!==void 0&&(this.map=e[t.map]||null),t.matcap!==void 0&&(this.matcap=e[t.matcap]||null),t.alphaMap!==void 0&&(this.alphaMap=e[t.alphaMap]||null),t.bumpMap!==void 0&&(this.bumpMap=e[t.bumpMap]||null),t.bumpScale!==void 0&&(this.bumpScale=t.bumpScale),t.normalMap!==void 0&&(this.normalMap=e[t.normalMap]||null),t.normalMapType!==void 0&&(this.normalMapType=t.normalMapType),t.normalScale!==void 0){let n=t.normalScale;Array.isArray(n)===!1&&(n=[n,n]),this.normalScale=new Kt().fromArray(n)}return t.displacementMap!==void 0&&(this.displacementMap=e[t.displacementMap]||null),t.displacementScale!==void 0&&(this.displacementScale=t.displacementScale),t.displacementBias!==void 0&&(this.displacementBias=t.displacementBias),t.roughnessMap!==void 0&&(this.roughnessMap=e[t.roughnessMap]||null),t.metalnessMap!==void 0&&(this.metalnessMap=e[t.metalnessMap]||null),t.emissiveMap!==void 0&&(this.emissiveMap=e[t.emissiveMap]||null),t.emissiveIntensity!==void 0&&(this.emissiveIntensity=t.emissiveIntensity),t.specularMap!==void 0&&(this.specularMap=e[t.specularMap]||null),t.specularIntensityMap!==void 0&&(this.specularIntensityMap=e[t.specularIntensityMap]||null),t.specularColorMap!==void 0&&(this.specularColorMap=e[t.specularColorMap]||null),t.envMap!==void 0&&(this.envMap=e[t.envMap]||null),t.envMapRotation!==void 0&&this.envMapRotation.fromArray(t.envMapRotation),t.envMapIntensity!==void 0&&(this.envMapIntensity=t.envMapIntensity),t.reflectivity!==void 0&&(this.reflectivity=t.reflectivity),t.refractionRatio!==void 0&&(this.refractionRatio=t.refractionRatio),t.lightMap!==void 0&&(this.lightMap=e[t.lightMap]||null),t.lightMapIntensity!==void 0&&(this.lightMapIntensity=t.lightMapIntensity),t.aoMap!==void 0&&(this.aoMap=e[t.aoMap]||null),t.aoMapIntensity!==void 0&&(this.aoMapIntensity=t.aoMapIntensity),t.gradientMap!==void 0&&(this.gradientMap=e[t.gradientMap]||null),t.clearcoatMap!==void 0&&(this.clearcoatMap=e[t.clearcoatMap]||null),t.clearcoatRoughnessMap!==void 0&&(this.clearcoatRoughnessMap=e[t.clearcoatRoughnessMap]||null),t.clearcoatNormalMap!==void 0&&(this.clearcoatNormalMap=e[t.clearcoatNormalMap]||null),t.clearcoatNormalScale!==void 0&&(this.clearcoatNormalScale=new Kt().fromArray(t.clearcoatNormalScale)),t.diffuseRoughnessMap!==void 0&&(this.diffuseRoughnessMap=e[t.diffuseRoughnessMap]||null),t.iridescenceMap!==void 0&&(this.iridescenceMap=e[t.iridescenceMap]||null),t.iridescenceThicknessMap!==void 0&&(this.iridescenceThicknessMap=e[t.iridescenceThicknessMap]||null),t.transmissionMap!==void 0&&(this.transmissionMap=e[t.transmissionMap]||null),t.thicknessMap!==void 0&&(this.thicknessMap=e[t.thicknessMap]||null),t.anisotropyMap!==void 0&&(this.anisotropyMap=e[t.anisotropyMap]||null),t.sheenColorMap!==void 0&&(this.sheenColorMap=e[t.sheenColorMap]||null),t.sheenRoughnessMap!==void 0&&(this.sheenRoughnessMap=e[t.sheenRoughnessMap]||null),this}clone(){return new this.constructor().copy(this)}copy(t){this.name=t.name,this.blending=t.blending,this.side=t.side,this.vertexColors=t.vertexColors,this.opacity=t.opacity,this.transparent=t.transparent,this.blendSrc=t.blendSrc,this.blendDst=t.blendDst,this.blendEquation=t.blendEquation,this.blendSrcAlpha=t.blendSrcAlpha,this.blendDstAlpha=t.blendDstAlpha,this.blendEquationAlpha=t.blendEquationAlpha,this.blendColor.copy(t.blendColor),this.blendAlpha=t.blendAlpha,this.depthFunc=t.depthFunc,this.depthTest=t.depthTest,this.depthWrite=t.depthWrite,this.stencilWriteMask=t.stencilWriteMask,this.stencilFunc=t.stencilFunc,this.stencilRef=t.stencilRef,this.stencilFuncMask=t.stencilFuncMask,this.stencilFail=t.stencilFail,this.stencilZFail=t.stencilZFail,this.stencilZPass=t.stencilZPass,this.stencilWrite=t.stencilWrite;let e=t.clippingPlanes,n=null;if(e!==null){let s=e.length;n=new Array(s);for(let r=0;r!==s;++r)n[r]=e[r].clone()}return this.clippingPlanes=n,this.clipIntersection=t.clipIntersection,this.clipShadows=t.clipShadows,this.shadowSide=t.shadowSide,this.colorWrite=t.colorWrite,this.precision=t.precision,this.polygonOffset=t.polygonOffset,this.polygonOffsetFactor=t.polygonOffsetFactor,this.polygonOffsetUnits=t.polygonOffsetUnits,this.dithering=t.dithering,this.alphaTest=t.alphaTest,this.alphaHash=t.alphaHash,this.alphaToCoverage=t.alphaToCoverage,this.premultipliedAlpha=t.premultipliedAlpha,this.forceSinglePass=t.forceSinglePass,this.allowOverride=t.allowOverride,this.visible=t.visible,this.toneMapped=t.toneMapped,this.userData=JSON.parse(JSON.stringify(t.userData)),this}dispose(){this.dispatchEvent({type:"dispose"})}set needsUpdate(t){t===!0&&this.version++}};var ms=new X,Pu=new X,bl=new X,Sl=new X,ur=class{constructor(t=new X,e=new X(0,0,-1)){this.origin=t,this.direction=e}set(t,e){return this.origin.copy(t),this.direction.copy(e),this}copy(t){return this.origin.copy(t.origin),this.direction.copy(t.direction),this}at(t,e){return e.copy(this.origin).addScaledVector(this.direction,t)}lookAt(t){return this.direction.copy(t).sub(this.origin).normalize(),this}recast(t){return this.origin.copy(this.at(t,ms)),this}closestPointToPoint(t,e){e.subVectors(t,this.origin);let n=e.dot(this.direction);return n<0?e.copy(this.origin):e.copy(this.origin).addScaledVector(this.direction,n)}distanceToPoint(t){return Math.sqrt(this.distanceSqToPoint(t))}distanceSqToPoint(t){let e=ms.subVectors(t,this.origin).dot(this.direction);return e<0?this.origin.distanceToSquared(t):(ms.copy(this.origin).addScaledVector(this.direction,e),ms.distanceToSquared(t))}distanceSqToSegment(t,e,n,s){Pu.copy(t).add(e).multiplyScalar(.5),bl.copy(e).sub(t).normalize(),Sl.copy(this.origin).sub(Pu);let r=t.distanceTo(e)*.5,o=-this.direction.dot(bl),a=Sl.dot(this.direction),c=-Sl.dot(bl),l=Sl.lengthSq(),u=Math.abs(1-o*o),d,h,f,p;if(u>0)if(d=o*c-a,h=o*a-c,p=r*u,d>=0)if(h>=-p)if(h<=p){let v=1/u;d*=v,h*=v,f=d*(d+o*h+2*a)+h*(o*d+h+2*c)+l}else h=r,d=Math.max(0,-(o*h+a)),f=-d*d+h*(h+2*c)+l;else h=-r,d=Math.max(0,-(o*h+a)),f=-d*d+h*(h+2*c)+l;else h<=-p?(d=Math.max(0,-(-o*r+a)),h=d>0?-r:Math.min(Math.max(-r,-c),r),f=-d*d+h*(h+2*c)+l):h<=p?(d=0,h=Math.min(Math.max(-r,-c),r),f=h*(h+2*c)+l):(d=Math.max(0,-(o*r+a)),h=d>0?r:Math.min(Math.max(-r,-c),r),f=-d*d+h*(h+2*c)+l);else h=o>0?-r:r,d=Math.max(0,-(o*h+a)),f=-d*d+h*(h+2*c)+l;return n&&n.copy(this.origin).addScaledVector(this.direction,d),s&&s.copy(Pu).addScaledVector(bl,h),f}intersectSphere(t,e){if(t.radius<0)return null;ms.subVectors(t.center,this.origin);let n=ms.dot(this.direction),s=ms.dot(ms)-n*n,r=t.radius*t.radius;if(s>r)return null;let o=Math.sqrt(r-s),a=n-o,c=n+o;return c<0?null:a<0?this.at(c,e):this.at(a,e)}intersectsSphere(t){return t.radius<0?!1:this.distanceSqToPoint(t.center)<=t.radius*t.radius}distanceToPlane(t){let e=t.normal.dot(this.direction);if(e===0)return t.distanceToPoint(this.origin)===0?0:null;let n=-(this.origin.dot(t.normal)+t.constant)/e;return n>=0?n:null}intersectPlane(t,e){let n=this.distanceToPlane(t);return n===null?null:this.at(n,e)}intersectsPlane(t){let e=t.distanceToPoint(this.origin);return e===0||t.normal.dot(this.direction)*e<0}intersectBox(t,e){let n,s,r,o,a,c,l=1/this.direction.x,u=1/this.direction.y,d=1/this.direction.z,h=this.origin;return l>=0?(n=(t.min.x-h.x)*l,s=(t.max.x-h.x)*l):(n=(t.max.x-h.x)*l,s=(t.min.x-h.x)*l),u>=0?(r=(t.min.y-h.y)*u,o=(t.max.y-h.y)*u):(r=(t.max.y-h.y)*u,o=(t.min.y-h.y)*u),n>o||r>s||((r>n||isNaN(n))&&(n=r),(o<s||isNaN(s))&&(s=o),d>=0?(a=(t.min.z-h.z)*d,c=(t.max.z-h.z)*d):(a=(t.max.z-h.z)*d,c=(t.min.z-h.z)*d),n>c||a>s)||((a>n||n!==n)&&(n=a),(c<s||s!==s)&&(s=c),s<0)?null:this.at(n>=0?n:s,e)}intersectsBox(t){return this.intersectBox(t,ms)!==null}intersectTriangle(t,e,n,s,r){let o=this.origin,a=this.direction,c=a.x,l=a.y,u=a.z,d=t.x-o.x,h=t.y-o.y,f=t.z-o.z,p=e.x-o.x,v=e.y-o.y,m=e.z-o.z,g=n.x-o.x,y=n.y-o.y,A=n.z-o.z,w=Math.abs(c),P=Math.abs(l),E=Math.abs(u),x,T,k,U,N,z,H,L,W,$,G,ct;if(w>=P&&w>=E?(k=c,z=d,W=p,ct=g,c>=0?(x=l,T=u,U=h,N=f,H=v,L=m,$=y,G=A):(x=u,T=l,U=f,N=h,H=m,L=v,$=A,G=y)):P>=E?(k=l,z=h,W=v,ct=y,l>=0?(x=u,T=c,U=f,N=d,H=m,L=p,$=A,G=g):(x=c,T=u,U=d,N=f,H=p,L=m,$=g,G=A)):(k=u,z=f,W=m,ct=A,u>=0?(x=c,T=l,U=d,N=h,H=p,L=v,$=g,G=y):(x=l,T=c,U=h,N=d,H=v,L=p,$=y,G=g)),k===0)return null;let K=x/k,Q=T/k,st=1/k,dt=U-K*z,ut=N-Q*z,tt=H-K*W,mt=L-Q*W,xt=$-K*ct,At=G-Q*ct,St=xt*mt-At*tt,Ht=dt*At-ut*xt,ie=tt*ut-mt*dt;if(s){if(St<0||Ht<0||ie<0)return null}else if((St<0||Ht<0||ie<0)&&(St>0||Ht>0||ie>0))return null;let Vt=St+Ht+ie;if(Vt===0)return null;let ue=st*(St*z+Ht*W+ie*ct);return(Vt>0?ue<0:ue>0)?null:this.at(ue/Vt,r)}applyMatrix4(t){return this.origin.applyMatrix4(t),this.direction.transformDirection(t),this}equals(t){return t.origin.equals(this.origin)&&t.direction.equals(this.direction)}clone(){return new this.constructor().copy(this)}},dr=class extends ys{constructor(t){super(),this.isMeshBasicMaterial=!0,this.type="MeshBasicMaterial",this.color=new oe(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new xs,this.combine=_c,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.specularMap=t.specularMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.combine=t.combine,this.reflectivity=t.reflectivity,this.refractionRatio=t.refractionRatio,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.fog=t.fog,this}},im=new Se,cr=new ur,Ml=new vs,sm=new X,wl=new X,Tl=new X,El=new X,Iu=new X,Al=new X,rm=new X,Rl=new X,Yn=class extends Dn{constructor(t=new Kn,e=new dr){super(),this.isMesh=!0,this.type="Mesh",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.count=1,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0?this.morphTargetInfluences=t.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,t.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}updateMorphTargets(){let e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){let s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}getVertexPosition(t,e){let n=this.geometry,s=n.attributes.position,r=n.morphAttributes.position,o=n.morphTargetsRelative;e.fromBufferAttribute(s,t);let a=this.morphTargetInfluences;if(r&&a){Al.set(0,0,0);for(let c=0,l=r.length;c<l;c++){let u=a[c],d=r[c];u!==0&&(Iu.fromBufferAttribute(d,t),o?Al.addScaledVector(Iu,u):Al.addScaledVector(Iu.sub(e),u))}e.add(Al)}return e}intersectsFrustum(t){return t.intersectsObject(this)}raycast(t,e){let n=this.geometry,s=this.material,r=this.matrixWorld;s!==void 0&&(n.boundingSphere===null&&n.computeBoundingSphere(),Ml.copy(n.boundingSphere),Ml.applyMatrix4(r),cr.copy(t.ray).recast(t.near),!(Ml.containsPoint(cr.origin)===!1&&(cr.intersectSphere(Ml,sm)===null||cr.origin.distanceToSquared(sm)>(t.far-t.near)**2))&&(im.copy(r).invert(),cr.copy(t.ray).applyMatrix4(im),!(n.boundingBox!==null&&cr.intersectsBox(n.boundingBox)===!1)&&this._computeIntersections(t,e,cr)))}_computeIntersections(t,e,n){let s,r=this.geometry,o=this.material,a=r.index,c=r.attributes.position,l=r.attributes.uv,u=r.attributes.uv1,d=r.attributes.normal,h=r.groups,f=r.drawRange;if(a!==null)if(Array.isArray(o))for(let p=0,v=h.length;p<v;p++){let m=h[p],g=o[m.materialIndex],y=Math.max(m.start,f.start),A=Math.min(a.count,Math.min(m.start+m.count,f.start+f.count));for(let w=y,P=A;w<P;w+=3){let E=a.getX(w),x=a.getX(w+1),T=a.getX(w+2);s=Cl(this,g,t,n,l,u,d,E,x,T),s&&(s.faceIndex=Math.floor(w/3),s.face.materialIndex=m.materialIndex,e.push(s))}}else{let p=Math.max(0,f.start),v=Math.min(a.count,f.start+f.count);for(let m=p,g=v;m<g;m+=3){let y=a.getX(m),A=a.getX(m+1),w=a.getX(m+2);s=Cl(this,o,t,n,l,u,d,y,A,w),s&&(s.faceIndex=Math.floor(m/3),e.push(s))}}else if(c!==void 0)if(Array.isArray(o))for(let p=0,v=h.length;p<v;p++){let m=h[p],g=o[m.materialIndex],y=Math.max(m.start,f.start),A=Math.min(c.count,Math.min(m.start+m.count,f.start+f.count));for(let w=y,P=A;w<P;w+=3){let E=w,x=w+1,T=w+2;s=Cl(this,g,t,n,l,u,d,E,x,T),s&&(s.faceIndex=Math.floor(w/3),s.face.materialIndex=m.materialIndex,e.push(s))}}else{let p=Math.max(0,f.start),v=Math.min(c.count,f.start+f.count);for(let m=p,g=v;m<g;m+=3){let y=m,A=m+1,w=m+2;s=Cl(this,o,t,n,l,u,d,y,A,w),s&&(s.faceIndex=Math.floor(m/3),e.push(s))}}}};function iv(i,t,e,n,s,r,o,a){let c;if(t.side===$n?c=n.intersectTriangle(o,r,s,!0,a):c=n.intersectTriangle(s,r,o,t.side===Zs,a),c===null)return null;Rl.copy(a),Rl.applyMatrix4(i.matrixWorld);let l=e.ray.origin.distanceTo(Rl);return l<e.near||l>e.far?null:{distance:l,point:Rl.clone(),object:i}}function Cl(i,t,e,n,s,r,o,a,c,l){i.getVertexPosition(a,wl),i.getVertexPosition(c,Tl),i.getVertexPosition(l,El);let u=iv(i,t,e,n,wl,Tl,El,rm);if(u){let d=new X;Gs.getBarycoord(rm,wl,Tl,El,d),s&&(u.uv=Gs.getInterpolatedAttribute(s,a,c,l,d,new Kt)),r&&(u.uv1=Gs.getInterpolatedAttribute(r,a,c,l,d,new Kt)),o&&(u.normal=Gs.getInterpolatedAttribute(o,a,c,l,d,new X),u.normal.dot(n.direction)>0&&u.normal.multiplyScalar(-1));let h={a,b:c,c:l,normal:new X,materialIndex:0};Gs.getNormal(wl,Tl,El,h.normal),u.face=h,u.barycoord=d}return u}var pa=class extends Jn{constructor(t=null,e=1,n=1,s,r,o,a,c,l=Rn,u=Rn,d,h){super(null,o,a,c,l,u,s,r,d,h),this.isDataTexture=!0,this.image={data:t,width:e,height:n},this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}};var ma=class extends ui{constructor(t,e,n,s=1){super(t,e,n),this.isInstancedBufferAttribute=!0,this.meshPerAttribute=s}copy(t){return super.copy(t),this.meshPerAttribute=t.meshPerAttribute,this}toJSON(){let t=super.toJSON();return t.meshPerAttribute=this.meshPerAttribute,t.isInstancedBufferAttribute=!0,t}},io=new Se,om=new Se,Pl=[],am=new Ji,sv=new Se,ta=new Yn,ea=new vs,fr=class extends Yn{constructor(t,e,n){super(t,e),this.isInstancedMesh=!0,this.instanceMatrix=new ma(new Float32Array(n*16),16),this.instanceColor=null,this.morphTexture=null,this.count=n,this.boundingBox=null,this.boundingSphere=null;for(let s=0;s<n;s++)this.setMatrixAt(s,sv)}computeBoundingBox(){let t=this.geometry,e=this.count;this.boundingBox===null&&(this.boundingBox=new Ji),t.boundingBox===null&&t.computeBoundingBox(),this.boundingBox.makeEmpty();for(let n=0;n<e;n++)this.getMatrixAt(n,io),am.copy(t.boundingBox).applyMatrix4(io),this.boundingBox.union(am)}computeBoundingSphere(){let t=this.geometry,e=this.count;this.boundingSphere===null&&(this.boundingSphere=new vs),t.boundingSphere===null&&t.computeBoundingSphere(),this.boundingSphere.makeEmpty();for(let n=0;n<e;n++)this.getMatrixAt(n,io),ea.copy(t.boundingSphere).applyMatrix4(io),this.boundingSphere.union(ea)}copy(t,e){return super.copy(t,e),this.instanceMatrix.copy(t.instanceMatrix),this.morphTexture=t.morphTexture!==null?t.morphTexture.clone():null,this.instanceColor=t.instanceColor!==null?t.instanceColor.clone():null,this.count=t.count,this.boundingBox=t.boundingBox!==null?t.boundingBox.clone():null,this.boundingSphere=t.boundingSphere!==null?t.boundingSphere.clone():null,this}getColorAt(t,e){return this.instanceColor===null?e.setRGB(1,1,1):e.fromArray(this.instanceColor.array,t*3)}getMatrixAt(t,e){return e.fromArray(this.instanceMatrix.array,t*16)}getMorphAt(t,e){let n=e.morphTargetInfluences,s=this.morphTexture.source.data.data,r=n.length+1,o=t*r+1;for(let a=0;a<n.length;a++)n[a]=s[o+a]}raycast(t,e){let n=this.matrixWorld,s=this.count;if(ta.geometry=this.geometry,ta.material=this.material,ta.material!==void 0&&(this.boundingSphere===null&&this.computeBoundingSphere(),ea.copy(this.boundingSphere),ea.applyMatrix4(n),t.ray.intersectsSphere(ea)!==!1))for(let r=0;r<s;r++){this.getMatrixAt(r,io),om.multiplyMatrices(n,io),ta.matrixWorld=om,ta.raycast(t,Pl);for(let o=0,a=Pl.length;o<a;o++){let c=Pl[o];c.instanceId=r,c.object=this,e.push(c)}Pl.length=0}}setColorAt(t,e){return this.instanceColor===null&&(this.instanceColor=new ma(new Float32Array(this.instanceMatrix.count*3).fill(1),3)),e.toArray(this.instanceColor.array,t*3),this}setMatrixAt(t,e){return e.toArray(this.instanceMatrix.array,t*16),this}setMorphAt(t,e){let n=e.morphTargetInfluences,s=n.length+1;this.morphTexture===null&&(this.morphTexture=new pa(new Float32Array(s*this.count),s,this.count,wc,Si));let r=this.morphTexture.source.data.data,o=0;for(let l=0;l<n.length;l++)o+=n[l];let a=this.geometry.morphTargetsRelative?1:1-o,c=s*t;return r[c]=a,r.set(n,c+1),this}updateMorphTargets(){}dispose(){super.dispose(),this.instanceMatrix.dispose(),this.instanceColor!==null&&this.instanceColor.dispose(),this.morphTexture!==null&&(this.morphTexture.dispose(),this.morphTexture=null)}},hr=new vs,rv=new Kt(.5,.5),Il=new X,Hs=class{constructor(t=new hi,e=new hi,n=new hi,s=new hi,r=new hi,o=new hi){this.planes=[t,e,n,s,r,o]}set(t,e,n,s,r,o){let a=this.planes;return a[0].copy(t),a[1].copy(e),a[2].copy(n),a[3].copy(s),a[4].copy(r),a[5].copy(o),this}copy(t){let e=this.planes;for(let n=0;n<6;n++)e[n].copy(t.planes[n]);return this}setFromProjectionMatrix(t,e=bi,n=!1){let s=this.planes,r=t.elements,o=r[0],a=r[1],c=r[2],l=r[3],u=r[4],d=r[5],h=r[6],f=r[7],p=r[8],v=r[9],m=r[10],g=r[11],y=r[12],A=r[13],w=r[14],P=r[15];if(s[0].setComponents(l-o,f-u,g-p,P-y).normalize(),s[1].setComponents(l+o,f+u,g+p,P+y).normalize(),s[2].setComponents(l+a,f+d,g+v,P+A).normalize(),s[3].setComponents(l-a,f-d,g-v,P-A).normalize(),n)s[4].setComponents(c,h,m,w).normalize(),s[5].setComponents(l-c,f-h,g-m,P-w).normalize();else if(s[4].setComponents(l-c,f-h,g-m,P-w).normalize(),e===bi)s[5].setComponents(l+c,f+h,g+m,P+w).normalize();else if(e===co)s[5].setComponents(c,h,m,w).normalize();else throw new Error("THREE.Frustum.setFromProjectionMatrix(): Invalid coordinate system: "+e);return this}intersectsObject(t){if(t.boundingSphere!==void 0)t.boundingSphere===null&&t.computeBoundingSphere(),hr.copy(t.boundingSphere).applyMatrix4(t.matrixWorld);else{let e=t.geometry;e.boundingSphere===null&&e.computeBoundingSphere(),hr.copy(e.boundingSphere).applyMatrix4(t.matrixWorld)}return this.intersectsSphere(hr)}intersectsSprite(t){hr.center.set(0,0,0);let e=rv.distanceTo(t.center);return hr.radius=.7071067811865476+e,hr.applyMatrix4(t.matrixWorld),this.intersectsSphere(hr)}intersectsSphere(t){let e=this.planes,n=t.center,s=-t.radius;for(let r=0;r<6;r++)if(e[r].distanceToPoint(n)<s)return!1;return!0}intersectsBox(t){let e=this.planes;for(let n=0;n<6;n++){let s=e[n];if(Il.x=s.normal.x>0?t.max.x:t.min.x,Il.y=s.normal.y>0?t.max.y:t.min.y,Il.z=s.normal.z>0?t.max.z:t.min.z,s.distanceToPoint(Il)<0)return!1}return!0}containsPoint(t){let e=this.planes;for(let n=0;n<6;n++)if(e[n].distanceToPoint(t)<0)return!1;return!0}clone(){return new this.constructor().copy(this)}},lm=new Se,jl=class i{constructor(){this.coordinateSystem=bi,this._frustums=[],this._count=0}setFromArrayCamera(t){let e=t.cameras,n=this._frustums;for(let s=0;s<e.length;s++){let r=e[s];lm.multiplyMatrices(r.projectionMatrix,r.matrixWorldInverse),n[s]===void 0&&(n[s]=new Hs),n[s].setFromProjectionMatrix(lm,r.coordinateSystem,r.reversedDepth)}return this._count=e.length,this}getFrustum(t){return this._frustums[t]}intersectsObject(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsObject(t))return!0;return!1}intersectsSprite(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsSprite(t))return!0;return!1}intersectsSphere(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsSphere(t))return!0;return!1}intersectsBox(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsBox(t))return!0;return!1}containsPoint(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].containsPoint(t))return!0;return!1}copy(t){this.coordinateSystem=t.coordinateSystem;let e=this._frustums,n=t._frustums;for(let s=0;s<t._count;s++)e[s]===void 0&&(e[s]=new Hs),e[s].copy(n[s]);return this._count=t._count,this}clone(){return new i().copy(this)}};var pr=class extends ys{constructor(t){super(),this.isLineBasicMaterial=!0,this.type="LineBasicMaterial",this.color=new oe(16777215),this.map=null,this.linewidth=1,this.linecap="round",this.linejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.linewidth=t.linewidth,this.linecap=t.linecap,this.linejoin=t.linejoin,this.fog=t.fog,this}},Ql=new X,tc=new X,cm=new Se,na=new ur,Ll=new vs,Lu=new X,hm=new X,go=class extends Dn{constructor(t=new Kn,e=new pr){super(),this.isLine=!0,this.type="Line",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0?this.morphTargetInfluences=t.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,t.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}computeLineDistances(){let t=this.geometry;if(t.index===null){let e=t.attributes.position,n=[0];for(let s=1,r=e.count;s<r;s++)Ql.fromBufferAttribute(e,s-1),tc.fromBufferAttribute(e,s),n[s]=n[s-1],n[s]+=Ql.distanceTo(tc);t.setAttribute("lineDistance",new tn(n,1))}else qt("Line.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}intersectsFrustum(t){return t.intersectsObject(this)}raycast(t,e){let n=this.geometry,s=this.matrixWorld,r=t.params.Line.threshold,o=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),Ll.copy(n.boundingSphere),Ll.applyMatrix4(s),Ll.radius+=r,t.ray.intersectsSphere(Ll)===!1)return;cm.copy(s).invert(),na.copy(t.ray).applyMatrix4(cm);let a=r/((this.scale.x+this.scale.y+this.scale.z)/3),c=a*a,l=this.isLineSegments?2:1,u=n.index,h=n.attributes.position;if(u!==null){let f=Math.max(0,o.start),p=Math.min(u.count,o.start+o.count);for(let v=f,m=p-1;v<m;v+=l){let g=u.getX(v),y=u.getX(v+1),A=Nl(this,t,na,c,g,y,v);A&&e.push(A)}if(this.isLineLoop){let v=u.getX(p-1),m=u.getX(f),g=Nl(this,t,na,c,v,m,p-1);g&&e.push(g)}}else{let f=Math.max(0,o.start),p=Math.min(h.count,o.start+o.count);for(let v=f,m=p-1;v<m;v+=l){let g=Nl(this,t,na,c,v,v+1,v);g&&e.push(g)}if(this.isLineLoop){let v=Nl(this,t,na,c,p-1,f,p-1);v&&e.push(v)}}}updateMorphTargets(){let e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){let s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}};function Nl(i,t,e,n,s,r,o){let a=i.geometry.attributes.position;if(Ql.fromBufferAttribute(a,s),tc.fromBufferAttribute(a,r),e.distanceSqToSegment(Ql,tc,Lu,hm)>n)return;Lu.applyMatrix4(i.matrixWorld);let l=t.ray.origin.distanceTo(Lu);if(!(l<t.near||l>t.far))return{distance:l,point:hm.clone().applyMatrix4(i.matrixWorld),index:o,face:null,faceIndex:null,barycoord:null,object:i}}var um=new X,dm=new X,ec=class extends go{constructor(t,e){super(t,e),this.isLineSegments=!0,this.type="LineSegments"}computeLineDistances(){let t=this.geometry;if(t.index===null){let e=t.attributes.position,n=[];for(let s=0,r=e.count;s<r;s+=2)um.fromBufferAttribute(e,s),dm.fromBufferAttribute(e,s+1),n[s]=s===0?0:n[s-1],n[s+1]=n[s]+um.distanceTo(dm);t.setAttribute("lineDistance",new tn(n,1))}else qt("LineSegments.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}};var ga=class extends Jn{constructor(t=[],e=xr,n,s,r,o,a,c,l,u){super(t,e,n,s,r,o,a,c,l,u),this.isCubeTexture=!0,this.flipY=!1}get images(){return this.image}set images(t){this.image=t}};var bs=class extends Jn{constructor(t,e,n=Fi,s,r,o,a=Rn,c=Rn,l,u=_s,d=1){if(u!==_s&&u!==Ms)throw new Error("THREE.DepthTexture: format must be either THREE.DepthFormat or THREE.DepthStencilFormat");let h={width:t,height:e,depth:d};super(h,s,r,o,a,c,u,n,l),this.isDepthTexture=!0,this.flipY=!1,this.generateMipmaps=!1,this.compareFunction=null}copy(t){return super.copy(t),this.source=new fo(Object.assign({},t.image)),this.compareFunction=t.compareFunction,this}toJSON(t){let e=super.toJSON(t);return e.compareFunction=this.compareFunction,e}},_a=class extends bs{constructor(t,e=Fi,n=xr,s,r,o=Rn,a=Rn,c,l=_s){let u={width:t,height:t,depth:1},d=[u,u,u,u,u,u];super(t,t,e,n,s,r,o,a,c,l),this.image=d,this.isCubeDepthTexture=!0,this.isCubeTexture=!0}get images(){return this.image}set images(t){this.image=t}},xa=class extends Jn{constructor(t=null){super(),this.sourceTexture=t,this.isExternalTexture=!0}copy(t){return super.copy(t),this.sourceTexture=t.sourceTexture,this}},_o=class i extends Kn{constructor(t=1,e=1,n=1,s=1,r=1,o=1){super(),this.type="BoxGeometry",this.parameters={width:t,height:e,depth:n,widthSegments:s,heightSegments:r,depthSegments:o};let a=this;s=Math.floor(s),r=Math.floor(r),o=Math.floor(o);let c=[],l=[],u=[],d=[],h=0,f=0;p("z","y","x",-1,-1,n,e,t,o,r,0),p("z","y","x",1,-1,n,e,-t,o,r,1),p("x","z","y",1,1,t,n,e,s,o,2),p("x","z","y",1,-1,t,n,-e,s,o,3),p("x","y","z",1,-1,t,e,n,s,r,4),p("x","y","z",-1,-1,t,e,-n,s,r,5),this.setIndex(c),this.setAttribute("position",new tn(l,3)),this.setAttribute("normal",new tn(u,3)),this.setAttribute("uv",new tn(d,2));function p(v,m,g,y,A,w,P,E,x,T,k){let U=w/x,N=P/T,z=w/2,H=P/2,L=E/2,W=x+1,$=T+1,G=0,ct=0,K=new X;for(let Q=0;Q<$;Q++){let st=Q*N-H;for(let dt=0;dt<W;dt++){let ut=dt*U-z;K[v]=ut*y,K[m]=st*A,K[g]=L,l.push(K.x,K.y,K.z),K[v]=0,K[m]=0,K[g]=E>0?1:-1,u.push(K.x,K.y,K.z),d.push(dt/x),d.push(1-Q/T),G+=1}}for(let Q=0;Q<T;Q++)for(let st=0;st<x;st++){let dt=h+st+W*Q,ut=h+st+W*(Q+1),tt=h+(st+1)+W*(Q+1),mt=h+(st+1)+W*Q;c.push(dt,ut,mt),c.push(ut,tt,mt),ct+=6}a.addGroup(f,ct,k),f+=ct,h+=G}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.width,t.height,t.depth,t.widthSegments,t.heightSegments,t.depthSegments)}};var va=class i extends Kn{constructor(t=1,e=1,n=1,s=32,r=1,o=!1,a=0,c=Math.PI*2){super(),this.type="CylinderGeometry",this.parameters={radiusTop:t,radiusBottom:e,height:n,radialSegments:s,heightSegments:r,openEnded:o,thetaStart:a,thetaLength:c};let l=this;s=Math.floor(s),r=Math.floor(r);let u=[],d=[],h=[],f=[],p=0,v=[],m=n/2,g=0;y(),o===!1&&(t>0&&A(!0),e>0&&A(!1)),this.setIndex(u),this.setAttribute("position",new tn(d,3)),this.setAttribute("normal",new tn(h,3)),this.setAttribute("uv",new tn(f,2));function y(){let w=new X,P=new X,E=0,x=(e-t)/n;for(let T=0;T<=r;T++){let k=[],U=T/r,N=U*(e-t)+t;for(let z=0;z<=s;z++){let H=z/s,L=H*c+a,W=Math.sin(L),$=Math.cos(L);P.x=N*W,P.y=-U*n+m,P.z=N*$,d.push(P.x,P.y,P.z),w.set(W,x,$).normalize(),h.push(w.x,w.y,w.z),f.push(H,1-U),k.push(p++)}v.push(k)}for(let T=0;T<s;T++)for(let k=0;k<r;k++){let U=v[k][T],N=v[k+1][T],z=v[k+1][T+1],H=v[k][T+1];(t>0||k!==0)&&(u.push(U,N,H),E+=3),(e>0||k!==r-1)&&(u.push(N,z,H),E+=3)}l.addGroup(g,E,0),g+=E}function A(w){let P=p,E=new Kt,x=new X,T=0,k=w===!0?t:e,U=w===!0?1:-1;for(let z=1;z<=s;z++)d.push(0,m*U,0),h.push(0,U,0),f.push(.5,.5),p++;let N=p;for(let z=0;z<=s;z++){let L=z/s*c+a,W=Math.cos(L),$=Math.sin(L);x.x=k*$,x.y=m*U,x.z=k*W,d.push(x.x,x.y,x.z),h.push(0,U,0),E.x=W*.5+.5,E.y=$*.5*U+.5,f.push(E.x,E.y),p++}for(let z=0;z<s;z++){let H=P+z,L=N+z;w===!0?u.push(L,L+1,H):u.push(L+1,L,H),T+=3}l.addGroup(g,T,w===!0?1:2),g+=T}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.radiusTop,t.radiusBottom,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}};var ya=class i extends Kn{constructor(t=1,e=1,n=1,s=1){super(),this.type="PlaneGeometry",this.parameters={width:t,height:e,widthSegments:n,heightSegments:s};let r=t/2,o=e/2,a=Math.floor(n),c=Math.floor(s),l=a+1,u=c+1,d=t/a,h=e/c,f=[],p=[],v=[],m=[];for(let g=0;g<u;g++){let y=g*h-o;for(let A=0;A<l;A++){let w=A*d-r;p.push(w,-y,0),v.push(0,0,1),m.push(A/a),m.push(1-g/c)}}for(let g=0;g<c;g++)for(let y=0;y<a;y++){let A=y+l*g,w=y+l*(g+1),P=y+1+l*(g+1),E=y+1+l*g;f.push(A,w,E),f.push(w,P,E)}this.setIndex(f),this.setAttribute("position",new tn(p,3)),this.setAttribute("normal",new tn(v,3)),this.setAttribute("uv",new tn(m,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.width,t.height,t.widthSegments,t.heightSegments)}};var mr=class i extends Kn{constructor(t=1,e=32,n=16,s=0,r=Math.PI*2,o=0,a=Math.PI){super(),this.type="SphereGeometry",this.parameters={radius:t,widthSegments:e,heightSegments:n,phiStart:s,phiLength:r,thetaStart:o,thetaLength:a},e=Math.max(3,Math.floor(e)),n=Math.max(2,Math.floor(n));let c=Math.min(o+a,Math.PI),l=0,u=[],d=new X,h=new X,f=[],p=[],v=[],m=[];for(let g=0;g<=n;g++){let y=[],A=g/n,w=o+A*a,P=t*Math.cos(w),E=Math.sqrt(t*t-P*P),x=0;g===0&&o===0?x=.5/e:g===n&&c===Math.PI&&(x=-.5/e);for(let T=0;T<=e;T++){let k=T/e,U=s+k*r;d.x=-E*Math.cos(U),d.y=P,d.z=E*Math.sin(U),p.push(d.x,d.y,d.z),h.copy(d).normalize(),v.push(h.x,h.y,h.z),m.push(k+x,1-A),y.push(l++)}u.push(y)}for(let g=0;g<n;g++)for(let y=0;y<e;y++){let A=u[g][y+1],w=u[g][y],P=u[g+1][y],E=u[g+1][y+1];(g!==0||o>0)&&f.push(A,w,E),(g!==n-1||c<Math.PI)&&f.push(w,P,E)}this.setIndex(f),this.setAttribute("position",new tn(p,3)),this.setAttribute("normal",new tn(v,3)),this.setAttribute("uv",new tn(m,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.radius,t.widthSegments,t.heightSegments,t.phiStart,t.phiLength,t.thetaStart,t.thetaLength)}};function yr(i){let t={};for(let e in i){t[e]={};for(let n in i[e]){let s=i[e][n];if(fm(s))s.isRenderTargetTexture?(qt("UniformsUtils: Textures of render targets cannot be cloned via cloneUniforms() or mergeUniforms()."),t[e][n]=null):t[e][n]=s.clone();else if(Array.isArray(s))if(fm(s[0])){let r=[];for(let o=0,a=s.length;o<a;o++)r[o]=s[o].clone();t[e][n]=r}else t[e][n]=s.slice();else t[e][n]=s}}return t}function Un(i){let t={};for(let e=0;e<i.length;e++){let n=yr(i[e]);for(let s in n)t[s]=n[s]}return t}function fm(i){return i&&(i.isColor||i.isMatrix3||i.isMatrix4||i.isVector2||i.isVector3||i.isVector4||i.isTexture||i.isQuaternion)}function ov(i){let t=[];for(let e=0;e<i.length;e++)t.push(i[e].clone());return t}function gd(i){let t=i.getRenderTarget();return t===null?i.outputColorSpace:t.isXRRenderTarget===!0?t.texture.colorSpace:xe.workingColorSpace}var og={clone:yr,merge:Un},av=`void main() {
	gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`,lv=`void main() {
	gl_FragColor = vec4( 1.0, 0.0, 0.0, 1.0 );
}`,Ki=class extends ys{constructor(t){super(),this.isShaderMaterial=!0,this.type="ShaderMaterial",this.defines={},this.uniforms={},this.uniformsGroups=[],this.vertexShader=av,this.fragmentShader=lv,this.linewidth=1,this.wireframe=!1,this.wireframeLinewidth=1,this.fog=!1,this.lights=!1,this.clipping=!1,this.forceSinglePass=!0,this.extensions={clipCullDistance:!1,multiDraw:!1},this.defaultAttributeValues={color:[1,1,1],uv:[0,0],uv1:[0,0]},this.index0AttributeName=void 0,this.uniformsNeedUpdate=!1,this.glslVersion=null,t!==void 0&&this.setValues(t)}copy(t){return super.copy(t),this.fragmentShader=t.fragmentShader,this.vertexShader=t.vertexShader,this.uniforms=yr(t.uniforms),this.uniformsGroups=ov(t.uniformsGroups),this.defines=Object.assign({},t.defines),this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.fog=t.fog,this.lights=t.lights,this.clipping=t.clipping,this.extensions=Object.assign({},t.extensions),this.glslVersion=t.glslVersion,this.defaultAttributeValues=Object.assign({},t.defaultAttributeValues),this.index0AttributeName=t.index0AttributeName,this.uniformsNeedUpdate=t.uniformsNeedUpdate,this}toJSON(t){let e=super.toJSON(t);e.glslVersion=this.glslVersion,e.uniforms={};for(let s in this.uniforms){let o=this.uniforms[s].value;o&&o.isTexture?e.uniforms[s]={type:"t",value:o.toJSON(t).uuid}:o&&o.isColor?e.uniforms[s]={type:"c",value:o.getHex()}:o&&o.isVector2?e.uniforms[s]={type:"v2",value:o.toArray()}:o&&o.isVector3?e.uniforms[s]={type:"v3",value:o.toArray()}:o&&o.isVector4?e.uniforms[s]={type:"v4",value:o.toArray()}:o&&o.isMatrix3?e.uniforms[s]={type:"m3",value:o.toArray()}:o&&o.isMatrix4?e.uniforms[s]={type:"m4",value:o.toArray()}:e.uniforms[s]={value:o}}Object.keys(this.defines).length>0&&(e.defines=this.defines),e.vertexShader=this.vertexShader,e.fragmentShader=this.fragmentShader,e.lights=this.lights,e.clipping=this.clipping;let n={};for(let s in this.extensions)this.extensions[s]===!0&&(n[s]=!0);return Object.keys(n).length>0&&(e.extensions=n),e}fromJSON(t,e){if(super.fromJSON(t,e),t.uniforms!==void 0)for(let n in t.uniforms){let s=t.uniforms[n];switch(this.uniforms[n]={},s.type){case"t":this.uniforms[n].value=e[s.value]||null;break;case"c":this.uniforms[n].value=new oe().setHex(s.value);break;case"v2":this.uniforms[n].value=new Kt().fromArray(s.value);break;case"v3":this.uniforms[n].value=new X().fromArray(s.value);break;case"v4":this.uniforms[n].value=new Ye().fromArray(s.value);break;case"m3":this.uniforms[n].value=new te().fromArray(s.value);break;case"m4":this.uniforms[n].value=new Se().fromArray(s.value);break;default:this.uniforms[n].value=s.value}}if(t.defines!==void 0&&(this.defines=t.defines),t.vertexShader!==void 0&&(this.vertexShader=t.vertexShader),t.fragmentShader!==void 0&&(this.fragmentShader=t.fragmentShader),t.glslVersion!==void 0&&(this.glslVersion=t.glslVersion),t.extensions!==void 0)for(let n in t.extensions)this.extensions[n]=t.extensions[n];return t.lights!==void 0&&(this.lights=t.lights),t.clipping!==void 0&&(this.clipping=t.clipping),this}},nc=class extends Ki{constructor(t){super(t),this.isRawShaderMaterial=!0,this.type="RawShaderMaterial"}};var ba=class extends ys{constructor(t){super(),this.isMeshLambertMaterial=!0,this.type="MeshLambertMaterial",this.color=new oe(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.emissive=new oe(0),this.emissiveIntensity=1,this.emissiveMap=null,this.bumpMap=null,this.bumpScale=1,this.normalMap=null,this.normalMapType=sh,this.normalScale=new Kt(1,1),this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new xs,this.combine=_c,this.reflectivity=1,this.envMapIntensity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.flatShading=!1,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.emissive.copy(t.emissive),this.emissiveMap=t.emissiveMap,this.emissiveIntensity=t.emissiveIntensity,this.bumpMap=t.bumpMap,this.bumpScale=t.bumpScale,this.normalMap=t.normalMap,this.normalMapType=t.normalMapType,this.normalScale.copy(t.normalScale),this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.specularMap=t.specularMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.combine=t.combine,this.reflectivity=t.reflectivity,this.envMapIntensity=t.envMapIntensity,this.refractionRatio=t.refractionRatio,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.flatShading=t.flatShading,this.fog=t.fog,this}},ic=class extends ys{constructor(t){super(),this.isMeshDepthMaterial=!0,this.type="MeshDepthMaterial",this.depthPacking=Wm,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.wireframe=!1,this.wireframeLinewidth=1,this.setValues(t)}copy(t){return super.copy(t),this.depthPacking=t.depthPacking,this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this}},sc=class extends ys{constructor(t){super(),this.isMeshDistanceMaterial=!0,this.type="MeshDistanceMaterial",this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.setValues(t)}copy(t){return super.copy(t),this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this}};function so(i,t){return!i||i.constructor===t?i:typeof t.BYTES_PER_ELEMENT=="number"?new t(i):Array.prototype.slice.call(i)}function Dl(i){return i!==void 0&&i.inTangents!==void 0&&i.outTangents!==void 0}var Ws=class{constructor(t,e,n,s){this.parameterPositions=t,this._cachedIndex=0,this.resultBuffer=s!==void 0?s:new e.constructor(n),this.sampleValues=e,this.valueSize=n,this.settings=null,this.DefaultSettings_={}}evaluate(t){let e=this.parameterPositions,n=this._cachedIndex,s=e[n],r=e[n-1];n:{t:{let o;e:{i:if(!(t<s)){for(let a=n+2;;){if(s===void 0){if(t<r)break i;return n=e.length,this._cachedIndex=n,this.copySampleValue_(n-1)}if(n===a)break;if(r=s,s=e[++n],t<s)break t}o=e.length;break e}if(!(t>=r)){let a=e[1];t<a&&(n=2,r=a);for(let c=n-2;;){if(r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(n===c)break;if(s=r,r=e[--n-1],t>=r)break t}o=n,n=0;break e}break n}for(;n<o;){let a=n+o>>>1;t<e[a]?o=a:n=a+1}if(s=e[n],r=e[n-1],r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(s===void 0)return n=e.length,this._cachedIndex=n,this.copySampleValue_(n-1)}this._cachedIndex=n,this.intervalChanged_(n,r,s)}return this.interpolate_(n,r,t,s)}getSettings_(){return this.settings||this.DefaultSettings_}copySampleValue_(t){let e=this.resultBuffer,n=this.sampleValues,s=this.valueSize,r=t*s;for(let o=0;o!==s;++o)e[o]=n[r+o];return e}interpolate_(){throw new Error("THREE.Interpolant: Call to abstract method.")}intervalChanged_(){}},rc=class extends Ws{constructor(t,e,n,s){super(t,e,n,s),this._weightPrev=-0,this._offsetPrev=-0,this._weightNext=-0,this._offsetNext=-0,this.DefaultSettings_={endingStart:Uu,endingEnd:Uu}}intervalChanged_(t,e,n){let s=this.parameterPositions,r=t-2,o=t+1,a=s[r],c=s[o];if(a===void 0)switch(this.getSettings_().endingStart){case Fu:r=t,a=2*e-n;break;case Ou:r=s.length-2,a=e+s[r]-s[r+1];break;default:r=t,a=n}if(c===void 0)switch(this.getSettings_().endingEnd){case Fu:o=t,c=2*n-e;break;case Ou:o=1,c=n+s[1]-s[0];break;default:o=t-1,c=e}let l=(n-e)*.5,u=this.valueSize;this._weightPrev=l/(e-a),this._weightNext=l/(c-n),this._offsetPrev=r*u,this._offsetNext=o*u}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,c=t*a,l=c-a,u=this._offsetPrev,d=this._offsetNext,h=this._weightPrev,f=this._weightNext,p=(n-e)/(s-e),v=p*p,m=v*p,g=-h*m+2*h*v-h*p,y=(1+h)*m+(-1.5-2*h)*v+(-.5+h)*p+1,A=(-1-f)*m+(1.5+f)*v+.5*p,w=f*m-f*v;for(let P=0;P!==a;++P)r[P]=g*o[u+P]+y*o[l+P]+A*o[c+P]+w*o[d+P];return r}},oc=class extends Ws{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,c=t*a,l=c-a,u=(n-e)/(s-e),d=1-u;for(let h=0;h!==a;++h)r[h]=o[l+h]*d+o[c+h]*u;return r}},ac=class extends Ws{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t){return this.copySampleValue_(t-1)}},lc=class extends Ws{interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,c=t*a,l=c-a,u=this.inTangents,d=this.outTangents;if(!u||!d){let p=(n-e)/(s-e),v=1-p;for(let m=0;m!==a;++m)r[m]=o[l+m]*v+o[c+m]*p;return r}let h=a*2,f=t-1;for(let p=0;p!==a;++p){let v=o[l+p],m=o[c+p],g=f*h+p*2,y=d[g],A=d[g+1],w=t*h+p*2,P=u[w],E=u[w+1],x=hv(n,e,y,P,s);r[p]=ag(x,v,A,E,m)}return r}};function ag(i,t,e,n,s){let r=1-i;return r*r*r*t+3*r*r*i*e+3*r*i*i*n+i*i*i*s}function cv(i,t,e,n,s){let r=1-i;return 3*r*r*(e-t)+6*r*i*(n-e)+3*i*i*(s-n)}function hv(i,t,e,n,s){let r=(i-t)/(s-t);for(let o=0;o<8;o++){let a=ag(r,t,e,n,s)-i;if(Math.abs(a)<1e-10)break;let c=cv(r,t,e,n,s);if(Math.abs(c)<1e-10)break;r=Math.max(0,Math.min(1,r-a/c))}return r}var fi=class{constructor(t,e,n,s){if(t===void 0)throw new Error("THREE.KeyframeTrack: track name is undefined");if(e===void 0||e.length===0)throw new Error("THREE.KeyframeTrack: no keyframes in track named "+t);this.name=t,this.times=so(e,this.TimeBufferType),this.values=so(n,this.ValueBufferType),this.setInterpolation(s||this.DefaultInterpolation)}static toJSON(t){let e=t.constructor,n;if(e.toJSON!==this.toJSON)n=e.toJSON(t);else{n={name:t.name,times:so(t.times,Array),values:so(t.values,Array)};let s=t.getInterpolation();s!==t.DefaultInterpolation&&(n.interpolation=s),Dl(t.settings)&&(n.settings={inTangents:so(t.settings.inTangents,Array),outTangents:so(t.settings.outTangents,Array)})}return n.type=t.ValueTypeName,n}InterpolantFactoryMethodDiscrete(t){return new ac(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodLinear(t){return new oc(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodSmooth(t){return new rc(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodBezier(t){let e=new lc(this.times,this.values,this.getValueSize(),t);return this.settings&&(e.inTangents=this.settings.inTangents,e.outTangents=this.settings.outTangents),e}setInterpolation(t){let e;switch(t){case oa:e=this.InterpolantFactoryMethodDiscrete;break;case $l:e=this.InterpolantFactoryMethodLinear;break;case Ol:e=this.InterpolantFactoryMethodSmooth;break;case Du:e=this.InterpolantFactoryMethodBezier;break}if(e===void 0){let n="unsupported interpolation for "+this.ValueTypeName+" keyframe track named "+this.name;if(this.createInterpolant===void 0)if(t!==this.DefaultInterpolation)this.setInterpolation(this.DefaultInterpolation);else throw new Error(n);return qt("KeyframeTrack:",n),this}return this.createInterpolant=e,this}getInterpolation(){switch(this.createInterpolant){case this.InterpolantFactoryMethodDiscrete:return oa;case this.InterpolantFactoryMethodLinear:return $l;case this.InterpolantFactoryMethodSmooth:return Ol;case this.InterpolantFactoryMethodBezier:return Du}}getValueSize(){return this.values.length/this.times.length}shift(t){if(t!==0){let e=this.times;for(let n=0,s=e.length;n!==s;++n)e[n]+=t;Dl(this.settings)&&(pm(this.settings.inTangents,t),pm(this.settings.outTangents,t))}return this}scale(t){if(t!==1){let e=this.times;for(let n=0,s=e.length;n!==s;++n)e[n]*=t;Dl(this.settings)&&(mm(this.settings.inTangents,t),mm(this.settings.outTangents,t))}return this}trim(t,e){let n=this.times,s=n.length,r=0,o=s-1;for(;r!==s&&n[r]<t;)++r;for(;o!==-1&&n[o]>e;)--o;if(++o,r!==0||o!==s){r>=o&&(o=Math.max(o,1),r=o-1);let a=this.getValueSize();this.times=n.slice(r,o),this.values=this.values.slice(r*a,o*a)}return this}validate(){let t=!0,e=this.getValueSize();e-Math.floor(e)!==0&&(Qt("KeyframeTrack: Invalid value size in track.",this),t=!1);let n=this.times,s=this.values,r=n.length;r===0&&(Qt("KeyframeTrack: Track is empty.",this),t=!1);let o=null;for(let a=0;a!==r;a++){let c=n[a];if(typeof c=="number"&&isNaN(c)){Qt("KeyframeTrack: Time is not a valid number.",this,a,c),t=!1;break}if(o!==null&&o>c){Qt("KeyframeTrack: Out of order keys.",this,a,c,o),t=!1;break}o=c}if(s!==void 0&&Tx(s))for(let a=0,c=s.length;a!==c;++a){let l=s[a];if(isNaN(l)){Qt("KeyframeTrack: Value is not a valid number.",this,a,l),t=!1;break}}return t}optimize(){let t=this.times.slice(),e=this.values.slice(),n=this.getValueSize(),s=this.getInterpolation()===Ol,r=t.length-1,o=1;for(let a=1;a<r;++a){let c=!1,l=t[a],u=t[a+1];if(l!==u&&(a!==1||l!==t[0]))if(s)c=!0;else{let d=a*n,h=d-n,f=d+n;for(let p=0;p!==n;++p){let v=e[d+p];if(v!==e[h+p]||v!==e[f+p]){c=!0;break}}}if(c){if(a!==o){t[o]=t[a];let d=a*n,h=o*n;for(let f=0;f!==n;++f)e[h+f]=e[d+f]}++o}}if(r>0){t[o]=t[r];for(let a=r*n,c=o*n,l=0;l!==n;++l)e[c+l]=e[a+l];++o}return o!==t.length?(this.times=t.slice(0,o),this.values=e.slice(0,o*n)):(this.times=t,this.values=e),this}clone(){let t=this.times.slice(),e=this.values.slice(),n=this.constructor,s=new n(this.name,t,e);return s.createInterpolant=this.createInterpolant,Dl(this.settings)&&(s.settings={inTangents:this.settings.inTangents.slice(),outTangents:this.settings.outTangents.slice()}),s}};function pm(i,t){for(let e=0,n=i.length;e!==n;e+=2)i[e]+=t}function mm(i,t){for(let e=0,n=i.length;e!==n;e+=2)i[e]*=t}fi.prototype.ValueTypeName="";fi.prototype.TimeBufferType=Float32Array;fi.prototype.ValueBufferType=Float32Array;fi.prototype.DefaultInterpolation=$l;var Xs=class extends fi{constructor(t,e,n){super(t,e,n)}};Xs.prototype.ValueTypeName="bool";Xs.prototype.ValueBufferType=Array;Xs.prototype.DefaultInterpolation=oa;Xs.prototype.InterpolantFactoryMethodLinear=void 0;Xs.prototype.InterpolantFactoryMethodSmooth=void 0;var cc=class extends fi{constructor(t,e,n,s){super(t,e,n,s)}};cc.prototype.ValueTypeName="color";var hc=class extends fi{constructor(t,e,n,s){super(t,e,n,s)}};hc.prototype.ValueTypeName="number";var uc=class extends Ws{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,c=(n-e)/(s-e),l=t*a;for(let u=l+a;l!==u;l+=4)qn.slerpFlat(r,0,o,l-a,o,l,c);return r}},Sa=class extends fi{constructor(t,e,n,s){super(t,e,n,s)}InterpolantFactoryMethodLinear(t){return new uc(this.times,this.values,this.getValueSize(),t)}};Sa.prototype.ValueTypeName="quaternion";Sa.prototype.InterpolantFactoryMethodSmooth=void 0;var qs=class extends fi{constructor(t,e,n){super(t,e,n)}};qs.prototype.ValueTypeName="string";qs.prototype.ValueBufferType=Array;qs.prototype.DefaultInterpolation=oa;qs.prototype.InterpolantFactoryMethodLinear=void 0;qs.prototype.InterpolantFactoryMethodSmooth=void 0;var dc=class extends fi{constructor(t,e,n,s){super(t,e,n,s)}};dc.prototype.ValueTypeName="vector";var fc=class{constructor(t,e,n){let s=this,r=!1,o=0,a=0,c,l=[];this.onStart=void 0,this.onLoad=t,this.onProgress=e,this.onError=n,this._abortController=null,this.itemStart=function(u){a++,r===!1&&s.onStart!==void 0&&s.onStart(u,o,a),r=!0},this.itemEnd=function(u){o++,s.onProgress!==void 0&&s.onProgress(u,o,a),o===a&&(r=!1,s.onLoad!==void 0&&s.onLoad())},this.itemError=function(u){s.onError!==void 0&&s.onError(u)},this.resolveURL=function(u){return u=u.normalize("NFC"),c?c(u):u},this.setURLModifier=function(u){return c=u,this},this.addHandler=function(u,d){return l.push(u,d),this},this.removeHandler=function(u){let d=l.indexOf(u);return d!==-1&&l.splice(d,2),this},this.getHandler=function(u){for(let d=0,h=l.length;d<h;d+=2){let f=l[d],p=l[d+1];if(f.global&&(f.lastIndex=0),f.test(u))return p}return null},this.abort=function(){return this.abortController.abort(),this._abortController=null,this}}get abortController(){return this._abortController||(this._abortController=new AbortController),this._abortController}},lg=new fc,pc=class{constructor(t){this.manager=t!==void 0?t:lg,this.crossOrigin="anonymous",this.withCredentials=!1,this.path="",this.resourcePath="",this.requestHeader={},this.priority="auto",this.cache="default",typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}load(){}loadAsync(t,e){let n=this;return new Promise(function(s,r){n.load(t,s,e,r)})}parse(){}setCrossOrigin(t){return this.crossOrigin=t,this}setWithCredentials(t){return this.withCredentials=t,this}setPath(t){return this.path=t,this}setResourcePath(t){return this.resourcePath=t,this}setRequestHeader(t){return this.requestHeader=t,this}setPriority(t){return this.priority=t,this}setCache(t){return this.cache=t,this}abort(){return this}};pc.DEFAULT_MATERIAL_NAME="__DEFAULT";var Ma=class extends Dn{static registerNode(t){this.prototype._lightNode=t}constructor(t,e=1){super(),this.isLight=!0,this.type="Light",this.color=new oe(t),this.intensity=e}copy(t,e){return super.copy(t,e),this.color.copy(t.color),this.intensity=t.intensity,this}toJSON(t){let e=super.toJSON(t);return e.object.color=this.color.getHex(),e.object.intensity=this.intensity,e}};var Nu=new Se,gm=new X,_m=new X,mc=class{constructor(t){this.camera=t,this.intensity=1,this.bias=0,this.biasNode=null,this.normalBias=0,this.radius=1,this.blurSamples=8,this.mapSize=new Kt(512,512),this.mapType=jn,this.map=null,this.mapPass=null,this.matrix=new Se,this.autoUpdate=!0,this.needsUpdate=!1,this._frustum=new Hs,this._frameExtents=new Kt(1,1),this._viewportCount=1,this._viewports=[new Ye(0,0,1,1)]}getViewportCount(){return this._viewportCount}getCamera(){return this.camera}getFrustum(){return this._frustum}updateMatrices(t){let e=this.camera;gm.setFromMatrixPosition(t.matrixWorld),e.position.copy(gm),_m.setFromMatrixPosition(t.target.matrixWorld),e.lookAt(_m),e.updateMatrixWorld(),this._updateMatrix(e,this.matrix,this._frustum)}_updateMatrix(t,e,n,s){Nu.multiplyMatrices(t.projectionMatrix,t.matrixWorldInverse),n.setFromProjectionMatrix(Nu,t.coordinateSystem,t.reversedDepth);let r=this._frameExtents,o=s?s.z/r.x:1,a=s?s.w/r.y:1,c=s?s.x/r.x:0,l=s?s.y/r.y:0;t.coordinateSystem===co||t.reversedDepth?e.set(.5*o,0,0,.5*o+c,0,.5*a,0,.5*a+l,0,0,1,0,0,0,0,1):e.set(.5*o,0,0,.5*o+c,0,.5*a,0,.5*a+l,0,0,.5,.5,0,0,0,1),e.multiply(Nu)}getViewport(t){return this._viewports[t]}getFrameExtents(){return this._frameExtents}dispose(){this.map&&this.map.dispose(),this.mapPass&&this.mapPass.dispose()}copy(t){return this.camera=t.camera.clone(),this.intensity=t.intensity,this.bias=t.bias,this.radius=t.radius,this.autoUpdate=t.autoUpdate,this.needsUpdate=t.needsUpdate,this.normalBias=t.normalBias,this.blurSamples=t.blurSamples,this.mapSize.copy(t.mapSize),this.mapType=t.mapType,this.biasNode=t.biasNode,this}clone(){return new this.constructor().copy(this)}toJSON(){let t={};return t.intensity=this.intensity,t.bias=this.bias,t.normalBias=this.normalBias,t.radius=this.radius,t.blurSamples=this.blurSamples,t.mapSize=this.mapSize.toArray(),t.mapType=this.mapType,t.camera=this.camera.toJSON(!1).object,delete t.camera.matrix,t}},Ul=new X,Fl=new qn,$i=new X,wa=class extends Dn{constructor(){super(),this.isCamera=!0,this.type="Camera",this.matrixWorldInverse=new Se,this.projectionMatrix=new Se,this.projectionMatrixInverse=new Se,this.coordinateSystem=bi,this._reversedDepth=!1}get reversedDepth(){return this._reversedDepth}copy(t,e){return super.copy(t,e),this.matrixWorldInverse.copy(t.matrixWorldInverse),this.projectionMatrix.copy(t.projectionMatrix),this.projectionMatrixInverse.copy(t.projectionMatrixInverse),this.coordinateSystem=t.coordinateSystem,this}getWorldDirection(t){return super.getWorldDirection(t).negate()}updateMatrixWorld(t){super.updateMatrixWorld(t),this.matrixWorld.decompose(Ul,Fl,$i),$i.x===1&&$i.y===1&&$i.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(Ul,Fl,$i.set(1,1,1)).invert()}updateWorldMatrix(t,e,n=!1){super.updateWorldMatrix(t,e,n),this.matrixWorld.decompose(Ul,Fl,$i),$i.x===1&&$i.y===1&&$i.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(Ul,Fl,$i.set(1,1,1)).invert()}clone(){return new this.constructor().copy(this)}},Vs=new X,xm=new Kt,vm=new Kt,Wn=class extends wa{constructor(t=50,e=1,n=.1,s=2e3){super(),this.isPerspectiveCamera=!0,this.type="PerspectiveCamera",this.fov=t,this.zoom=1,this.near=n,this.far=s,this.focus=10,this.aspect=e,this.view=null,this.filmGauge=35,this.filmOffset=0,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.fov=t.fov,this.zoom=t.zoom,this.near=t.near,this.far=t.far,this.focus=t.focus,this.aspect=t.aspect,this.view=t.view===null?null:Object.assign({},t.view),this.filmGauge=t.filmGauge,this.filmOffset=t.filmOffset,this}setFocalLength(t){let e=.5*this.getFilmHeight()/t;this.fov=uo*2*Math.atan(e),this.updateProjectionMatrix()}getFocalLength(){let t=Math.tan(sa*.5*this.fov);return .5*this.getFilmHeight()/t}getEffectiveFOV(){return uo*2*Math.atan(Math.tan(sa*.5*this.fov)/this.zoom)}getFilmWidth(){return this.filmGauge*Math.min(this.aspect,1)}getFilmHeight(){return this.filmGauge/Math.max(this.aspect,1)}getViewBounds(t,e,n){Vs.set(-1,-1,.5).applyMatrix4(this.projectionMatrixInverse),e.set(Vs.x,Vs.y).multiplyScalar(-t/Vs.z),Vs.set(1,1,.5).applyMatrix4(this.projectionMatrixInverse),n.set(Vs.x,Vs.y).multiplyScalar(-t/Vs.z)}getViewSize(t,e){return this.getViewBounds(t,xm,vm),e.subVectors(vm,xm)}setViewOffset(t,e,n,s,r,o){this.aspect=t/e,this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let t=this.near,e=t*Math.tan(sa*.5*this.fov)/this.zoom,n=2*e,s=this.aspect*n,r=-.5*s,o=this.view;if(this.view!==null&&this.view.enabled){let c=o.fullWidth,l=o.fullHeight;r+=o.offsetX*s/c,e-=o.offsetY*n/l,s*=o.width/c,n*=o.height/l}let a=this.filmOffset;a!==0&&(r+=t*a/this.getFilmWidth()),this.projectionMatrix.makePerspective(r,r+s,e,e-n,t,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){let e=super.toJSON(t);return e.object.fov=this.fov,e.object.zoom=this.zoom,e.object.near=this.near,e.object.far=this.far,e.object.focus=this.focus,e.object.aspect=this.aspect,this.view!==null&&(e.object.view=Object.assign({},this.view)),e.object.filmGauge=this.filmGauge,e.object.filmOffset=this.filmOffset,e}};var Ta=class extends wa{constructor(t=-1,e=1,n=1,s=-1,r=.1,o=2e3){super(),this.isOrthographicCamera=!0,this.type="OrthographicCamera",this.zoom=1,this.view=null,this.left=t,this.right=e,this.top=n,this.bottom=s,this.near=r,this.far=o,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.left=t.left,this.right=t.right,this.top=t.top,this.bottom=t.bottom,this.near=t.near,this.far=t.far,this.zoom=t.zoom,this.view=t.view===null?null:Object.assign({},t.view),this}setViewOffset(t,e,n,s,r,o){this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let t=(this.right-this.left)/(2*this.zoom),e=(this.top-this.bottom)/(2*this.zoom),n=(this.right+this.left)/2,s=(this.top+this.bottom)/2,r=n-t,o=n+t,a=s+e,c=s-e;if(this.view!==null&&this.view.enabled){let l=(this.right-this.left)/this.view.fullWidth/this.zoom,u=(this.top-this.bottom)/this.view.fullHeight/this.zoom;r+=l*this.view.offsetX,o=r+l*this.view.width,a-=u*this.view.offsetY,c=a-u*this.view.height}this.projectionMatrix.makeOrthographic(r,o,a,c,this.near,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){let e=super.toJSON(t);return e.object.zoom=this.zoom,e.object.left=this.left,e.object.right=this.right,e.object.top=this.top,e.object.bottom=this.bottom,e.object.near=this.near,e.object.far=this.far,this.view!==null&&(e.object.view=Object.assign({},this.view)),e}},Bu=class extends mc{constructor(){super(new Ta(-5,5,5,-5,.5,500)),this.isDirectionalLightShadow=!0}},Ea=class extends Ma{constructor(t,e){super(t,e),this.isDirectionalLight=!0,this.type="DirectionalLight",this.position.copy(Dn.DEFAULT_UP),this.updateMatrix(),this.target=new Dn,this.shadow=new Bu}dispose(){super.dispose(),this.shadow.dispose()}copy(t){return super.copy(t),this.target=t.target.clone(),this.shadow=t.shadow.clone(),this}toJSON(t){let e=super.toJSON(t);return e.object.shadow=this.shadow.toJSON(),e.object.target=this.target.uuid,e}},Aa=class extends Ma{constructor(t,e){super(t,e),this.isAmbientLight=!0,this.type="AmbientLight"}};var ro=-90,oo=1,xo=class extends Dn{constructor(t,e,n){super(),this.type="CubeCamera",this.renderTarget=n,this.coordinateSystem=null,this.activeMipmapLevel=0;let s=new Wn(ro,oo,t,e);s.layers=this.layers,this.add(s);let r=new Wn(ro,oo,t,e);r.layers=this.layers,this.add(r);let o=new Wn(ro,oo,t,e);o.layers=this.layers,this.add(o);let a=new Wn(ro,oo,t,e);a.layers=this.layers,this.add(a);let c=new Wn(ro,oo,t,e);c.layers=this.layers,this.add(c);let l=new Wn(ro,oo,t,e);l.layers=this.layers,this.add(l)}updateCoordinateSystem(){let t=this.coordinateSystem,e=this.children.concat(),[n,s,r,o,a,c]=e;for(let l of e)this.remove(l);if(t===bi)n.up.set(0,1,0),n.lookAt(1,0,0),s.up.set(0,1,0),s.lookAt(-1,0,0),r.up.set(0,0,-1),r.lookAt(0,1,0),o.up.set(0,0,1),o.lookAt(0,-1,0),a.up.set(0,1,0),a.lookAt(0,0,1),c.up.set(0,1,0),c.lookAt(0,0,-1);else if(t===co)n.up.set(0,-1,0),n.lookAt(-1,0,0),s.up.set(0,-1,0),s.lookAt(1,0,0),r.up.set(0,0,1),r.lookAt(0,1,0),o.up.set(0,0,-1),o.lookAt(0,-1,0),a.up.set(0,-1,0),a.lookAt(0,0,1),c.up.set(0,-1,0),c.lookAt(0,0,-1);else throw new Error("THREE.CubeCamera.updateCoordinateSystem(): Invalid coordinate system: "+t);for(let l of e)this.add(l),l.updateMatrixWorld()}update(t,e){this.parent===null&&this.updateMatrixWorld();let{renderTarget:n,activeMipmapLevel:s}=this;this.coordinateSystem!==t.coordinateSystem&&(this.coordinateSystem=t.coordinateSystem,this.updateCoordinateSystem());let[r,o,a,c,l,u]=this.children,d=t.getRenderTarget(),h=t.getActiveCubeFace(),f=t.getActiveMipmapLevel(),p=t.xr.enabled;t.xr.enabled=!1;let v=n.texture.mipmapsAutoUpdate;n.texture.mipmapsAutoUpdate=!1;let m=!1;t.isWebGLRenderer===!0?m=t.state.buffers.depth.getReversed():m=t.reversedDepthBuffer,t.setRenderTarget(n,0,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,r),t.setRenderTarget(n,1,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,o),t.setRenderTarget(n,2,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,a),t.setRenderTarget(n,3,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,c),t.setRenderTarget(n,4,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,l),n.texture.mipmapsAutoUpdate=v,t.setRenderTarget(n,5,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,u),t.setRenderTarget(d,h,f),t.xr.enabled=p,n.texture.needsPMREMUpdate=!0}},gc=class extends Wn{constructor(t=[]){super(),this.isArrayCamera=!0,this.isMultiViewCamera=!1,this.cameras=t,this.perCameraFrustumCulled=!1}};var _d="\\[\\]\\.:\\/",uv=new RegExp("["+_d+"]","g"),xd="[^"+_d+"]",dv="[^"+_d.replace("\\.","")+"]",fv=/((?:WC+[\/:])*)/.source.replace("WC",xd),pv=/(WCOD+)?/.source.replace("WCOD",dv),mv=/(?:\.(WC+)(?:\[(.+)\])?)?/.source.replace("WC",xd),gv=/\.(WC+)(?:\[(.+)\])?/.source.replace("WC",xd),_v=new RegExp("^"+fv+pv+mv+gv+"$"),xv=["material","materials","bones","map"],ku=class{constructor(t,e,n){let s=n||We.parseTrackName(e);this._targetGroup=t,this._bindings=t.subscribe_(e,s)}getValue(t,e){this.bind();let n=this._targetGroup.nCachedObjects_,s=this._bindings[n];s!==void 0&&s.getValue(t,e)}setValue(t,e){let n=this._bindings;for(let s=this._targetGroup.nCachedObjects_,r=n.length;s!==r;++s)n[s].setValue(t,e)}bind(){let t=this._bindings;for(let e=this._targetGroup.nCachedObjects_,n=t.length;e!==n;++e)t[e].bind()}unbind(){let t=this._bindings;for(let e=this._targetGroup.nCachedObjects_,n=t.length;e!==n;++e)t[e].unbind()}},We=class i{constructor(t,e,n){this.path=e,this.parsedPath=n||i.parseTrackName(e),this.node=i.findNode(t,this.parsedPath.nodeName),this.rootNode=t,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}static create(t,e,n){return t&&t.isAnimationObjectGroup?new i.Composite(t,e,n):new i(t,e,n)}static sanitizeNodeName(t){return t.replace(/\s/g,"_").replace(uv,"")}static parseTrackName(t){let e=_v.exec(t);if(e===null)throw new Error("THREE.PropertyBinding: Cannot parse trackName: "+t);let n={nodeName:e[2],objectName:e[3],objectIndex:e[4],propertyName:e[5],propertyIndex:e[6]},s=n.nodeName&&n.nodeName.lastIndexOf(".");if(s!==void 0&&s!==-1){let r=n.nodeName.substring(s+1);xv.indexOf(r)!==-1&&(n.nodeName=n.nodeName.substring(0,s),n.objectName=r)}if(n.propertyName===null||n.propertyName.length===0)throw new Error("THREE.PropertyBinding: can not parse propertyName from trackName: "+t);return n}static findNode(t,e){if(e===void 0||e===""||e==="."||e===-1||e===t.name||e===t.uuid)return t;if(t.skeleton){let n=t.skeleton.getBoneByName(e);if(n!==void 0)return n}if(t.children){let n=function(r){for(let o=0;o<r.length;o++){let a=r[o];if(a.name===e||a.uuid===e)return a;let c=n(a.children);if(c)return c}return null},s=n(t.children);if(s)return s}return null}_getValue_unavailable(){}_setValue_unavailable(){}_getValue_direct(t,e){t[e]=this.targetObject[this.propertyName]}_getValue_array(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)t[e++]=n[s]}_getValue_arrayElement(t,e){t[e]=this.resolvedProperty[this.propertyIndex]}_getValue_toArray(t,e){this.resolvedProperty.toArray(t,e)}_setValue_direct(t,e){this.targetObject[this.propertyName]=t[e]}_setValue_direct_setNeedsUpdate(t,e){this.targetObject[this.propertyName]=t[e],this.targetObject.needsUpdate=!0}_setValue_direct_setMatrixWorldNeedsUpdate(t,e){this.targetObject[this.propertyName]=t[e],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_array(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++]}_setValue_array_setNeedsUpdate(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++];this.targetObject.needsUpdate=!0}_setValue_array_setMatrixWorldNeedsUpdate(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++];this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_arrayElement(t,e){this.resolvedProperty[this.propertyIndex]=t[e]}_setValue_arrayElement_setNeedsUpdate(t,e){this.resolvedProperty[this.propertyIndex]=t[e],this.targetObject.needsUpdate=!0}_setValue_arrayElement_setMatrixWorldNeedsUpdate(t,e){this.resolvedProperty[this.propertyIndex]=t[e],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_fromArray(t,e){this.resolvedProperty.fromArray(t,e)}_setValue_fromArray_setNeedsUpdate(t,e){this.resolvedProperty.fromArray(t,e),this.targetObject.needsUpdate=!0}_setValue_fromArray_setMatrixWorldNeedsUpdate(t,e){this.resolvedProperty.fromArray(t,e),this.targetObject.matrixWorldNeedsUpdate=!0}_getValue_unbound(t,e){this.bind(),this.getValue(t,e)}_setValue_unbound(t,e){this.bind(),this.setValue(t,e)}bind(){let t=this.node,e=this.parsedPath,n=e.objectName,s=e.propertyName,r=e.propertyIndex;if(t||(t=i.findNode(this.rootNode,e.nodeName),this.node=t),this.getValue=this._getValue_unavailable,this.setValue=this._setValue_unavailable,!t){qt("PropertyBinding: No target node found for track: "+this.path+".");return}if(n){let l=e.objectIndex;switch(n){case"materials":if(!t.material){Qt("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!t.material.materials){Qt("PropertyBinding: Can not bind to material.materials as node.material does not have a materials array.",this);return}t=t.material.materials;break;case"bones":if(!t.skeleton){Qt("PropertyBinding: Can not bind to bones as node does not have a skeleton.",this);return}t=t.skeleton.bones;for(let u=0;u<t.length;u++)if(t[u].name===l){l=u;break}break;case"map":if("map"in t){t=t.map;break}if(!t.material){Qt("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!t.material.map){Qt("PropertyBinding: Can not bind to material.map as node.material does not have a map.",this);return}t=t.material.map;break;default:if(t[n]===void 0){Qt("PropertyBinding: Can not bind to objectName of node undefined.",this);return}t=t[n]}if(l!==void 0){if(t[l]===void 0){Qt("PropertyBinding: Trying to bind to objectIndex of objectName, but is undefined.",this,t);return}t=t[l]}}let o=t[s];if(o===void 0){let l=e.nodeName;Qt("PropertyBinding: Trying to update property for track: "+l+"."+s+" but it wasn't found.",t);return}let a=this.Versioning.None;this.targetObject=t,t.isMaterial===!0?a=this.Versioning.NeedsUpdate:t.isObject3D===!0&&(a=this.Versioning.MatrixWorldNeedsUpdate);let c=this.BindingType.Direct;if(r!==void 0){if(s==="morphTargetInfluences"){if(!t.geometry){Qt("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.",this);return}if(!t.geometry.morphAttributes){Qt("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.morphAttributes.",this);return}t.morphTargetDictionary[r]!==void 0&&(r=t.morphTargetDictionary[r])}c=this.BindingType.ArrayElement,this.resolvedProperty=o,this.propertyIndex=r}else o.fromArray!==void 0&&o.toArray!==void 0?(c=this.BindingType.HasFromToArray,this.resolvedProperty=o):Array.isArray(o)?(c=this.BindingType.EntireArray,this.resolvedProperty=o):this.propertyName=s;this.getValue=this.GetterByBindingType[c],this.setValue=this.SetterByBindingTypeAndVersioning[c][a]}unbind(){this.node=null,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}};We.Composite=ku;We.prototype.BindingType={Direct:0,EntireArray:1,ArrayElement:2,HasFromToArray:3};We.prototype.Versioning={None:0,NeedsUpdate:1,MatrixWorldNeedsUpdate:2};We.prototype.GetterByBindingType=[We.prototype._getValue_direct,We.prototype._getValue_array,We.prototype._getValue_arrayElement,We.prototype._getValue_toArray];We.prototype.SetterByBindingTypeAndVersioning=[[We.prototype._setValue_direct,We.prototype._setValue_direct_setNeedsUpdate,We.prototype._setValue_direct_setMatrixWorldNeedsUpdate],[We.prototype._setValue_array,We.prototype._setValue_array_setNeedsUpdate,We.prototype._setValue_array_setMatrixWorldNeedsUpdate],[We.prototype._setValue_arrayElement,We.prototype._setValue_arrayElement_setNeedsUpdate,We.prototype._setValue_arrayElement_setMatrixWorldNeedsUpdate],[We.prototype._setValue_fromArray,We.prototype._setValue_fromArray_setNeedsUpdate,We.prototype._setValue_fromArray_setMatrixWorldNeedsUpdate]];var M1=new Float32Array(1);var vo=class{constructor(t=1,e=0,n=0){this.radius=t,this.phi=e,this.theta=n}set(t,e,n){return this.radius=t,this.phi=e,this.theta=n,this}copy(t){return this.radius=t.radius,this.phi=t.phi,this.theta=t.theta,this}makeSafe(){return this.phi=pe(this.phi,1e-6,Math.PI-1e-6),this}setFromVector3(t){return this.setFromCartesianCoords(t.x,t.y,t.z)}setFromCartesianCoords(t,e,n){return this.radius=Math.sqrt(t*t+e*e+n*n),this.radius===0?(this.theta=0,this.phi=0):(this.theta=Math.atan2(t,n),this.phi=Math.acos(pe(e/this.radius,-1,1))),this}clone(){return new this.constructor().copy(this)}};var zu=class{static{this.prototype.isMatrix2=!0}constructor(t,e,n,s){this.elements=[1,0,0,1],t!==void 0&&this.set(t,e,n,s)}identity(){return this.set(1,0,0,1),this}fromArray(t,e=0){for(let n=0;n<4;n++)this.elements[n]=t[n+e];return this}set(t,e,n,s){let r=this.elements;return r[0]=t,r[2]=e,r[1]=n,r[3]=s,this}};var Ra=class extends ec{constructor(t=10,e=10,n=4473924,s=8947848){n=new oe(n),s=new oe(s);let r=e/2,o=t/e,a=t/2,c=[],l=[];for(let h=0,f=0,p=-a;h<=e;h++,p+=o){c.push(-a,0,p,a,0,p),c.push(p,0,-a,p,0,a);let v=h===r?n:s;v.toArray(l,f),f+=3,v.toArray(l,f),f+=3,v.toArray(l,f),f+=3,v.toArray(l,f),f+=3}let u=new Kn;u.setAttribute("position",new tn(c,3)),u.setAttribute("color",new tn(l,3));let d=new pr({vertexColors:!0,toneMapped:!1});super(u,d),this.type="GridHelper"}dispose(){super.dispose(),this.geometry.dispose(),this.material.dispose()}};var Ca=class extends Ui{constructor(t,e=null){super(),this.object=t,this.domElement=e,this.enabled=!0,this.state=-1,this.keys={},this.mouseButtons={LEFT:null,MIDDLE:null,RIGHT:null},this.touches={ONE:null,TWO:null}}connect(t){this.domElement!==null&&this.disconnect(),this.domElement=t}disconnect(){}dispose(){}update(){}};function vd(i,t,e,n){let s=vv(n);switch(e){case rd:return i*t;case wc:return i*t/s.components*s.byteLength;case Tc:return i*t/s.components*s.byteLength;case Js:return i*t*2/s.components*s.byteLength;case Ec:return i*t*2/s.components*s.byteLength;case od:return i*t*3/s.components*s.byteLength;case Bi:return i*t*4/s.components*s.byteLength;case Ac:return i*t*4/s.components*s.byteLength;case La:case Na:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*8;case Da:case Ua:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case Cc:case Ic:return Math.max(i,16)*Math.max(t,8)/4;case Rc:case Pc:return Math.max(i,8)*Math.max(t,8)/2;case Lc:case Nc:case Uc:case Fc:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*8;case Dc:case Fa:case Oc:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case Bc:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case kc:return Math.floor((i+4)/5)*Math.floor((t+3)/4)*16;case zc:return Math.floor((i+4)/5)*Math.floor((t+4)/5)*16;case Vc:return Math.floor((i+5)/6)*Math.floor((t+4)/5)*16;case Gc:return Math.floor((i+5)/6)*Math.floor((t+5)/6)*16;case Hc:return Math.floor((i+7)/8)*Math.floor((t+4)/5)*16;case Wc:return Math.floor((i+7)/8)*Math.floor((t+5)/6)*16;case Xc:return Math.floor((i+7)/8)*Math.floor((t+7)/8)*16;case qc:return Math.floor((i+9)/10)*Math.floor((t+4)/5)*16;case Yc:return Math.floor((i+9)/10)*Math.floor((t+5)/6)*16;case $c:return Math.floor((i+9)/10)*Math.floor((t+7)/8)*16;case Zc:return Math.floor((i+9)/10)*Math.floor((t+9)/10)*16;case Jc:return Math.floor((i+11)/12)*Math.floor((t+9)/10)*16;case Kc:return Math.floor((i+11)/12)*Math.floor((t+11)/12)*16;case jc:case Qc:case th:return Math.ceil(i/4)*Math.ceil(t/4)*16;case eh:case nh:return Math.ceil(i/4)*Math.ceil(t/4)*8;case Oa:case ih:return Math.ceil(i/4)*Math.ceil(t/4)*16}throw new Error(`Unable to determine texture byte length for ${e} format.`)}function vv(i){switch(i){case jn:case ed:return{byteLength:1,components:1};case Mo:case nd:case Oi:return{byteLength:2,components:1};case Sc:case Mc:return{byteLength:2,components:4};case Fi:case bc:case Si:return{byteLength:4,components:1};case id:case sd:return{byteLength:4,components:3}}throw new Error(`THREE.TextureUtils: Unknown texture type ${i}.`)}typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("register",{detail:{revision:"187"}}));typeof window<"u"&&(window.__THREE__?qt("WARNING: Multiple instances of Three.js being imported."):window.__THREE__="187");function Pg(){let i=null,t=!1,e=null,n=null;function s(r,o){n=i.requestAnimationFrame(s),e(r,o)}return{start:function(){t!==!0&&e!==null&&i!==null&&(n=i.requestAnimationFrame(s),t=!0)},stop:function(){i!==null&&i.cancelAnimationFrame(n),t=!1},setAnimationLoop:function(r){e=r},setContext:function(r){i=r}}}function bv(i){let t=new WeakMap;function e(a,c){let l=a.array,u=a.usage,d=l.byteLength,h=i.createBuffer();i.bindBuffer(c,h),i.bufferData(c,l,u),a.onUploadCallback();let f;if(l instanceof Float32Array)f=i.FLOAT;else if(typeof Float16Array<"u"&&l instanceof Float16Array)f=i.HALF_FLOAT;else if(l instanceof Uint16Array)a.isFloat16BufferAttribute?f=i.HALF_FLOAT:f=i.UNSIGNED_SHORT;else if(l instanceof Int16Array)f=i.SHORT;else if(l instanceof Uint32Array)f=i.UNSIGNED_INT;else if(l instanceof Int32Array)f=i.INT;else if(l instanceof Int8Array)f=i.BYTE;else if(l instanceof Uint8Array)f=i.UNSIGNED_BYTE;else if(l instanceof Uint8ClampedArray)f=i.UNSIGNED_BYTE;else throw new Error("THREE.WebGLAttributes: Unsupported buffer data format: "+l);return{buffer:h,type:f,bytesPerElement:l.BYTES_PER_ELEMENT,version:a.version,size:d}}function n(a,c,l){let u=c.array,d=c.updateRanges;if(i.bindBuffer(l,a),d.length===0)i.bufferSubData(l,0,u);else{d.sort((f,p)=>f.start-p.start);let h=0;for(let f=1;f<d.length;f++){let p=d[h],v=d[f];v.start<=p.start+p.count+1?p.count=Math.max(p.count,v.start+v.count-p.start):(++h,d[h]=v)}d.length=h+1;for(let f=0,p=d.length;f<p;f++){let v=d[f];i.bufferSubData(l,v.start*u.BYTES_PER_ELEMENT,u,v.start,v.count)}c.clearUpdateRanges()}c.onUploadCallback()}function s(a){return a.isInterleavedBufferAttribute&&(a=a.data),t.get(a)}function r(a){a.isInterleavedBufferAttribute&&(a=a.data);let c=t.get(a);c&&(i.deleteBuffer(c.buffer),t.delete(a))}function o(a,c){if(a.isInterleavedBufferAttribute&&(a=a.data),a.isGLBufferAttribute){let u=t.get(a);(!u||u.version<a.version)&&t.set(a,{buffer:a.buffer,type:a.type,bytesPerElement:a.elementSize,version:a.version});return}let l=t.get(a);if(l===void 0)t.set(a,e(a,c));else if(l.version<a.version){if(l.size!==a.array.byteLength)throw new Error("THREE.WebGLAttributes: The size of the buffer attribute's array buffer does not match the original size. Resizing buffer attributes is not supported.");n(l.buffer,a,c),l.version=a.version}}return{get:s,remove:r,update:o}}var Sv=`#ifdef USE_ALPHAHASH
	if ( diffuseColor.a < getAlphaHashThreshold( vPosition ) ) discard;
#endif`,Mv=`#ifdef USE_ALPHAHASH
	const float ALPHA_HASH_SCALE = 0.05;
	float hash2D( vec2 value ) {
		return fract( 1.0e4 * sin( 17.0 * value.x + 0.1 * value.y ) * ( 0.1 + abs( sin( 13.0 * value.y + value.x ) ) ) );
	}
	float hash3D( vec3 value ) {
		return hash2D( vec2( hash2D( value.xy ), value.z ) );
	}
	float getAlphaHashThreshold( vec3 position ) {
		float maxDeriv = max(
			length( dFdx( position.xyz ) ),
			length( dFdy( position.xyz ) )
		);
		float pixScale = 1.0 / ( ALPHA_HASH_SCALE * maxDeriv );
		vec2 pixScales = vec2(
			exp2( floor( log2( pixScale ) ) ),
			exp2( ceil( log2( pixScale ) ) )
		);
		vec2 alpha = vec2(
			hash3D( floor( pixScales.x * position.xyz ) ),
			hash3D( floor( pixScales.y * position.xyz ) )
		);
		float lerpFactor = fract( log2( pixScale ) );
		float x = ( 1.0 - lerpFactor ) * alpha.x + lerpFactor * alpha.y;
		float a = min( lerpFactor, 1.0 - lerpFactor );
		vec3 cases = vec3(
			x * x / ( 2.0 * a * ( 1.0 - a ) ),
			( x - 0.5 * a ) / ( 1.0 - a ),
			1.0 - ( ( 1.0 - x ) * ( 1.0 - x ) / ( 2.0 * a * ( 1.0 - a ) ) )
		);
		float threshold = ( x < ( 1.0 - a ) )
			? ( ( x < a ) ? cases.x : cases.y )
			: cases.z;
		return clamp( threshold , 1.0e-6, 1.0 );
	}
#endif`,wv=`#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, vAlphaMapUv ).g;
#endif`,Tv=`#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,Ev=`#ifdef USE_ALPHATEST
	#ifdef ALPHA_TO_COVERAGE
	diffuseColor.a = smoothstep( alphaTest, alphaTest + fwidth( diffuseColor.a ), diffuseColor.a );
	if ( diffuseColor.a == 0.0 ) discard;
	#else
	if ( diffuseColor.a < alphaTest ) discard;
	#endif
#endif`,Av=`#ifdef USE_ALPHATEST
	uniform float alphaTest;
#endif`,Rv=`#ifdef USE_AOMAP
	float ambientOcclusion = ( texture2D( aoMap, vAoMapUv ).r - 1.0 ) * aoMapIntensity + 1.0;
	reflectedLight.indirectDiffuse *= ambientOcclusion;
	#if defined( USE_CLEARCOAT ) 
		clearcoatSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_SHEEN ) 
		sheenSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_ENVMAP ) && defined( STANDARD )
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		reflectedLight.indirectSpecular *= computeSpecularOcclusion( dotNV, ambientOcclusion, material.roughness );
	#endif
#endif`,Cv=`#ifdef USE_AOMAP
	uniform sampler2D aoMap;
	uniform float aoMapIntensity;
#endif`,Pv=`#ifdef USE_BATCHING
	#if ! defined( GL_ANGLE_multi_draw )
	#define gl_DrawID _gl_DrawID
	uniform int _gl_DrawID;
	#endif
	uniform highp sampler2D batchingTexture;
	uniform highp usampler2D batchingIdTexture;
	mat4 getBatchingMatrix( const in float i ) {
		int size = textureSize( batchingTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( batchingTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( batchingTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( batchingTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( batchingTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
	float getIndirectIndex( const in int i ) {
		int size = textureSize( batchingIdTexture, 0 ).x;
		int x = i % size;
		int y = i / size;
		return float( texelFetch( batchingIdTexture, ivec2( x, y ), 0 ).r );
	}
#endif
#ifdef USE_BATCHING_COLOR
	uniform sampler2D batchingColorTexture;
	vec4 getBatchingColor( const in float i ) {
		int size = textureSize( batchingColorTexture, 0 ).x;
		int j = int( i );
		int x = j % size;
		int y = j / size;
		return texelFetch( batchingColorTexture, ivec2( x, y ), 0 );
	}
#endif`,Iv=`#ifdef USE_BATCHING
	mat4 batchingMatrix = getBatchingMatrix( getIndirectIndex( gl_DrawID ) );
#endif`,Lv=`vec3 transformed = vec3( position );
#ifdef USE_ALPHAHASH
	vPosition = vec3( position );
#endif`,Nv=`vec3 objectNormal = vec3( normal );
#ifdef USE_TANGENT
	vec3 objectTangent = vec3( tangent.xyz );
#endif`,Dv=`float G_BlinnPhong_Implicit( ) {
	return 0.25;
}
float D_BlinnPhong( const in float shininess, const in float dotNH ) {
	return RECIPROCAL_PI * ( shininess * 0.5 + 1.0 ) * pow( dotNH, shininess );
}
vec3 BRDF_BlinnPhong( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 specularColor, const in float shininess ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( specularColor, 1.0, dotVH );
	float G = G_BlinnPhong_Implicit( );
	float D = D_BlinnPhong( shininess, dotNH );
	return F * ( G * D );
} // validated`,Uv=`#ifdef USE_IRIDESCENCE
	const mat3 XYZ_TO_REC709 = mat3(
		 3.2404542, -0.9692660,  0.0556434,
		-1.5371385,  1.8760108, -0.2040259,
		-0.4985314,  0.0415560,  1.0572252
	);
	vec3 Fresnel0ToIor( vec3 fresnel0 ) {
		vec3 sqrtF0 = sqrt( fresnel0 );
		return ( vec3( 1.0 ) + sqrtF0 ) / ( vec3( 1.0 ) - sqrtF0 );
	}
	vec3 IorToFresnel0( vec3 transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - vec3( incidentIor ) ) / ( transmittedIor + vec3( incidentIor ) ) );
	}
	float IorToFresnel0( float transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - incidentIor ) / ( transmittedIor + incidentIor ));
	}
	vec3 evalSensitivity( float OPD, vec3 shift ) {
		float phase = 2.0 * PI * OPD * 1.0e-9;
		vec3 val = vec3( 5.4856e-13, 4.4201e-13, 5.2481e-13 );
		vec3 pos = vec3( 1.6810e+06, 1.7953e+06, 2.2084e+06 );
		vec3 var = vec3( 4.3278e+09, 9.3046e+09, 6.6121e+09 );
		vec3 xyz = val * sqrt( 2.0 * PI * var ) * cos( pos * phase + shift ) * exp( - pow2( phase ) * var );
		xyz.x += 9.7470e-14 * sqrt( 2.0 * PI * 4.5282e+09 ) * cos( 2.2399e+06 * phase + shift[ 0 ] ) * exp( - 4.5282e+09 * pow2( phase ) );
		xyz /= 1.0685e-7;
		vec3 rgb = XYZ_TO_REC709 * xyz;
		return rgb;
	}
	vec3 evalIridescence( float outsideIOR, float eta2, float cosTheta1, float thinFilmThickness, vec3 baseF0 ) {
		vec3 I;
		float iridescenceIOR = mix( outsideIOR, eta2, smoothstep( 0.0, 0.03, thinFilmThickness ) );
		float sinTheta2Sq = pow2( outsideIOR / iridescenceIOR ) * ( 1.0 - pow2( cosTheta1 ) );
		float cosTheta2Sq = 1.0 - sinTheta2Sq;
		if ( cosTheta2Sq < 0.0 ) {
			return vec3( 1.0 );
		}
		float cosTheta2 = sqrt( cosTheta2Sq );
		float R0 = IorToFresnel0( iridescenceIOR, outsideIOR );
		float R12 = F_Schlick( R0, 1.0, cosTheta1 );
		float T121 = 1.0 - R12;
		float phi12 = 0.0;
		if ( iridescenceIOR < outsideIOR ) phi12 = PI;
		float phi21 = PI - phi12;
		vec3 baseIOR = Fresnel0ToIor( clamp( baseF0, 0.0, 0.9999 ) );		vec3 R1 = IorToFresnel0( baseIOR, iridescenceIOR );
		vec3 R23 = F_Schlick( R1, 1.0, cosTheta2 );
		vec3 phi23 = vec3( 0.0 );
		if ( baseIOR[ 0 ] < iridescenceIOR ) phi23[ 0 ] = PI;
		if ( baseIOR[ 1 ] < iridescenceIOR ) phi23[ 1 ] = PI;
		if ( baseIOR[ 2 ] < iridescenceIOR ) phi23[ 2 ] = PI;
		float OPD = 2.0 * iridescenceIOR * thinFilmThickness * cosTheta2;
		vec3 phi = vec3( phi21 ) + phi23;
		vec3 R123 = clamp( R12 * R23, 1e-5, 0.9999 );
		vec3 r123 = sqrt( R123 );
		vec3 Rs = pow2( T121 ) * R23 / ( vec3( 1.0 ) - R123 );
		vec3 C0 = R12 + Rs;
		I = C0;
		vec3 Cm = Rs - T121;
		for ( int m = 1; m <= 2; ++ m ) {
			Cm *= r123;
			vec3 Sm = 2.0 * evalSensitivity( float( m ) * OPD, float( m ) * phi );
			I += Cm * Sm;
		}
		return max( I, vec3( 0.0 ) );
	}
#endif`,Fv=`#ifdef USE_BUMPMAP
	uniform sampler2D bumpMap;
	uniform float bumpScale;
	vec2 dHdxy_fwd() {
		vec2 dSTdx = dFdx( vBumpMapUv );
		vec2 dSTdy = dFdy( vBumpMapUv );
		float Hll = bumpScale * texture2D( bumpMap, vBumpMapUv ).x;
		float dBx = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdx ).x - Hll;
		float dBy = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdy ).x - Hll;
		return vec2( dBx, dBy );
	}
	vec3 perturbNormalArb( vec3 surf_pos, vec3 surf_norm, vec2 dHdxy, float faceDirection ) {
		vec3 vSigmaX = normalize( dFdx( surf_pos.xyz ) );
		vec3 vSigmaY = normalize( dFdy( surf_pos.xyz ) );
		vec3 vN = surf_norm;
		vec3 R1 = cross( vSigmaY, vN );
		vec3 R2 = cross( vN, vSigmaX );
		float fDet = dot( vSigmaX, R1 ) * faceDirection;
		vec3 vGrad = sign( fDet ) * ( dHdxy.x * R1 + dHdxy.y * R2 );
		return normalize( abs( fDet ) * surf_norm - vGrad );
	}
#endif`,Ov=`#if NUM_CLIPPING_PLANES > 0
	vec4 plane;
	#ifdef ALPHA_TO_COVERAGE
		float distanceToPlane, distanceGradient;
		float clipOpacity = 1.0;
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
			distanceGradient = fwidth( distanceToPlane ) / 2.0;
			clipOpacity *= smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			if ( clipOpacity == 0.0 ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			float unionClipOpacity = 1.0;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
				distanceGradient = fwidth( distanceToPlane ) / 2.0;
				unionClipOpacity *= 1.0 - smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			}
			#pragma unroll_loop_end
			clipOpacity *= 1.0 - unionClipOpacity;
		#endif
		diffuseColor.a *= clipOpacity;
		if ( diffuseColor.a == 0.0 ) discard;
	#else
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			if ( dot( vClipPosition, plane.xyz ) > plane.w ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			bool clipped = true;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				clipped = ( dot( vClipPosition, plane.xyz ) > plane.w ) && clipped;
			}
			#pragma unroll_loop_end
			if ( clipped ) discard;
		#endif
	#endif
#endif`,Bv=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
	uniform vec4 clippingPlanes[ NUM_CLIPPING_PLANES ];
#endif`,kv=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
#endif`,zv=`#if NUM_CLIPPING_PLANES > 0
	vClipPosition = - mvPosition.xyz;
#endif`,Vv=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	diffuseColor *= vColor;
#endif`,Gv=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#endif`,Hv=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	varying vec4 vColor;
#endif`,Wv=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	vColor = vec4( 1.0 );
#endif
#ifdef USE_COLOR_ALPHA
	vColor *= color;
#elif defined( USE_COLOR )
	vColor.rgb *= color;
#endif
#ifdef USE_INSTANCING_COLOR
	vColor.rgb *= instanceColor.rgb;
#endif
#ifdef USE_BATCHING_COLOR
	vColor *= getBatchingColor( getIndirectIndex( gl_DrawID ) );
#endif`,Xv=`#define PI 3.141592653589793
#define PI2 6.283185307179586
#define PI_HALF 1.5707963267948966
#define RECIPROCAL_PI 0.3183098861837907
#define RECIPROCAL_PI2 0.15915494309189535
#define EPSILON 1e-6
#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
#define whiteComplement( a ) ( 1.0 - saturate( a ) )
float pow2( const in float x ) { return x*x; }
vec3 pow2( const in vec3 x ) { return x*x; }
float pow3( const in float x ) { return x*x*x; }
float pow4( const in float x ) { float x2 = x*x; return x2*x2; }
float max3( const in vec3 v ) { return max( max( v.x, v.y ), v.z ); }
float average( const in vec3 v ) { return dot( v, vec3( 0.3333333 ) ); }
highp float rand( const in vec2 uv ) {
	const highp float a = 12.9898, b = 78.233, c = 43758.5453;
	highp float dt = dot( uv.xy, vec2( a,b ) ), sn = mod( dt, PI );
	return fract( sin( sn ) * c );
}
#ifdef HIGH_PRECISION
	float precisionSafeLength( vec3 v ) { return length( v ); }
#else
	float precisionSafeLength( vec3 v ) {
		float maxComponent = max3( abs( v ) );
		return length( v / maxComponent ) * maxComponent;
	}
#endif
struct IncidentLight {
	vec3 color;
	vec3 direction;
	bool visible;
};
struct ReflectedLight {
	vec3 directDiffuse;
	vec3 directSpecular;
	vec3 indirectDiffuse;
	vec3 indirectSpecular;
};
#ifdef USE_ALPHAHASH
	varying vec3 vPosition;
#endif
vec3 transformDirection( in vec3 dir, in mat4 matrix ) {
	return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );
}
#define inverseTransformDirection transformDirectionByInverseViewMatrix
vec3 transformNormalByInverseViewMatrix( in vec3 normal, in mat4 viewMatrix ) {
	return normalize( ( vec4( normal, 0.0 ) * viewMatrix ).xyz );
}
vec3 transformDirectionByInverseViewMatrix( in vec3 dir, in mat4 viewMatrix ) {
	return normalize( ( vec4( dir, 0.0 ) * viewMatrix ).xyz );
}
bool isPerspectiveMatrix( mat4 m ) {
	return m[ 2 ][ 3 ] == - 1.0;
}
vec2 equirectUv( in vec3 dir ) {
	float u = atan( dir.z, dir.x ) * RECIPROCAL_PI2 + 0.5;
	float v = asin( clamp( dir.y, - 1.0, 1.0 ) ) * RECIPROCAL_PI + 0.5;
	return vec2( u, v );
}
vec3 BRDF_Lambert( const in vec3 diffuseColor ) {
	return RECIPROCAL_PI * diffuseColor;
}
vec3 F_Schlick( const in vec3 f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
}
float F_Schlick( const in float f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
} // validated`,qv=`vec3 transformedNormal = objectNormal;
#ifdef USE_TANGENT
	vec3 transformedTangent = objectTangent;
#endif
#ifdef USE_BATCHING
	mat3 bm = mat3( batchingMatrix );
	transformedNormal /= vec3( dot( bm[ 0 ], bm[ 0 ] ), dot( bm[ 1 ], bm[ 1 ] ), dot( bm[ 2 ], bm[ 2 ] ) );
	transformedNormal = bm * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = bm * transformedTangent;
	#endif
#endif
#ifdef USE_INSTANCING
	mat3 im = mat3( instanceMatrix );
	transformedNormal /= vec3( dot( im[ 0 ], im[ 0 ] ), dot( im[ 1 ], im[ 1 ] ), dot( im[ 2 ], im[ 2 ] ) );
	transformedNormal = im * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = im * transformedTangent;
	#endif
#endif
transformedNormal = normalMatrix * transformedNormal;
#ifdef FLIP_SIDED
	transformedNormal = - transformedNormal;
#endif
#ifdef USE_TANGENT
	transformedTangent = ( modelViewMatrix * vec4( transformedTangent, 0.0 ) ).xyz;
#endif`,Yv=`#ifdef USE_DISPLACEMENTMAP
	uniform sampler2D displacementMap;
	uniform float displacementScale;
	uniform float displacementBias;
#endif`,$v=`#ifdef USE_DISPLACEMENTMAP
	transformed += normalize( objectNormal ) * ( texture2D( displacementMap, vDisplacementMapUv ).x * displacementScale + displacementBias );
#endif`,Zv=`#ifdef USE_EMISSIVEMAP
	vec4 emissiveColor = texture2D( emissiveMap, vEmissiveMapUv );
	#ifdef DECODE_VIDEO_TEXTURE_EMISSIVE
		emissiveColor = sRGBTransferEOTF( emissiveColor );
	#endif
	totalEmissiveRadiance *= emissiveColor.rgb;
#endif`,Jv=`#ifdef USE_EMISSIVEMAP
	uniform sampler2D emissiveMap;
#endif`,Kv="gl_FragColor = linearToOutputTexel( gl_FragColor );",jv=`vec4 LinearTransferOETF( in vec4 value ) {
	return value;
}
vec4 sRGBTransferEOTF( in vec4 value ) {
	return vec4( mix( pow( value.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), value.rgb * 0.0773993808, vec3( lessThanEqual( value.rgb, vec3( 0.04045 ) ) ) ), value.a );
}
vec4 sRGBTransferOETF( in vec4 value ) {
	return vec4( mix( pow( value.rgb, vec3( 0.41666 ) ) * 1.055 - vec3( 0.055 ), value.rgb * 12.92, vec3( lessThanEqual( value.rgb, vec3( 0.0031308 ) ) ) ), value.a );
}`,Qv=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vec3 cameraToFrag;
		if ( isOrthographic ) {
			cameraToFrag = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToFrag = normalize( vWorldPosition - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vec3 reflectVec = reflect( cameraToFrag, worldNormal );
		#else
			vec3 reflectVec = refract( cameraToFrag, worldNormal, refractionRatio );
		#endif
	#else
		vec3 reflectVec = vReflect;
	#endif
	#ifdef ENVMAP_TYPE_CUBE
		vec4 envColor = textureCube( envMap, envMapRotation * reflectVec );
		#ifdef ENVMAP_BLENDING_MULTIPLY
			outgoingLight = mix( outgoingLight, outgoingLight * envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_MIX )
			outgoingLight = mix( outgoingLight, envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_ADD )
			outgoingLight += envColor.xyz * specularStrength * reflectivity;
		#endif
	#endif
#endif`,ty=`#ifdef USE_ENVMAP
	uniform float envMapIntensity;
	uniform mat3 envMapRotation;
	uniform samplerCube envMap;
	#ifdef ENVMAP_TYPE_PMREM
		float roughnessToMip( const in float roughness ) {
			float r = clamp( roughness, 0.0, 1.0 );
			return ENVMAP_MAX_LOD * r * ( 2.0 - r );
		}
	#endif
#endif`,ey=`#ifdef USE_ENVMAP
	uniform float reflectivity;
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		varying vec3 vWorldPosition;
		uniform float refractionRatio;
	#else
		varying vec3 vReflect;
	#endif
#endif`,ny=`#ifdef USE_ENVMAP
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		
		varying vec3 vWorldPosition;
	#else
		varying vec3 vReflect;
		uniform float refractionRatio;
	#endif
#endif`,iy=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vWorldPosition = worldPosition.xyz;
	#else
		vec3 cameraToVertex;
		if ( isOrthographic ) {
			cameraToVertex = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToVertex = normalize( worldPosition.xyz - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vReflect = reflect( cameraToVertex, worldNormal );
		#else
			vReflect = refract( cameraToVertex, worldNormal, refractionRatio );
		#endif
	#endif
#endif`,sy=`#ifdef USE_FOG
	vFogDepth = - mvPosition.z;
#endif`,ry=`#ifdef USE_FOG
	varying float vFogDepth;
#endif`,oy=`#ifdef USE_FOG
	#ifdef FOG_EXP2
		float fogFactor = 1.0 - exp( - fogDensity * fogDensity * vFogDepth * vFogDepth );
	#else
		float fogFactor = smoothstep( fogNear, fogFar, vFogDepth );
	#endif
	gl_FragColor.rgb = mix( gl_FragColor.rgb, fogColor, fogFactor );
#endif`,ay=`#ifdef USE_FOG
	uniform vec3 fogColor;
	varying float vFogDepth;
	#ifdef FOG_EXP2
		uniform float fogDensity;
	#else
		uniform float fogNear;
		uniform float fogFar;
	#endif
#endif`,ly=`#ifdef USE_GRADIENTMAP
	uniform sampler2D gradientMap;
#endif
vec3 getGradientIrradiance( vec3 normal, vec3 lightDirection ) {
	float dotNL = dot( normal, lightDirection );
	vec2 coord = vec2( dotNL * 0.5 + 0.5, 0.0 );
	#ifdef USE_GRADIENTMAP
		return vec3( texture2D( gradientMap, coord ).r );
	#else
		vec2 fw = fwidth( coord ) * 0.5;
		return mix( vec3( 0.7 ), vec3( 1.0 ), smoothstep( 0.7 - fw.x, 0.7 + fw.x, coord.x ) );
	#endif
}`,cy=`#ifdef USE_LIGHTMAP
	uniform sampler2D lightMap;
	uniform float lightMapIntensity;
#endif`,hy=`LambertMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularStrength = specularStrength;`,uy=`varying vec3 vViewPosition;
struct LambertMaterial {
	vec3 diffuseColor;
	float specularStrength;
};
void RE_Direct_Lambert( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Lambert( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Lambert
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Lambert`,dy=`uniform bool receiveShadow;
uniform vec3 ambientLightColor;
#if defined( USE_LIGHT_PROBES )
	uniform vec3 lightProbe[ 9 ];
#endif
vec3 shGetIrradianceAt( in vec3 normal, in vec3 shCoefficients[ 9 ] ) {
	float x = normal.x, y = normal.y, z = normal.z;
	vec3 result = shCoefficients[ 0 ] * 0.886227;
	result += shCoefficients[ 1 ] * 2.0 * 0.511664 * y;
	result += shCoefficients[ 2 ] * 2.0 * 0.511664 * z;
	result += shCoefficients[ 3 ] * 2.0 * 0.511664 * x;
	result += shCoefficients[ 4 ] * 2.0 * 0.429043 * x * y;
	result += shCoefficients[ 5 ] * 2.0 * 0.429043 * y * z;
	result += shCoefficients[ 6 ] * ( 0.743125 * z * z - 0.247708 );
	result += shCoefficients[ 7 ] * 2.0 * 0.429043 * x * z;
	result += shCoefficients[ 8 ] * 0.429043 * ( x * x - y * y );
	return result;
}
vec3 getLightProbeIrradiance( const in vec3 lightProbe[ 9 ], const in vec3 normal ) {
	vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec3 irradiance = shGetIrradianceAt( worldNormal, lightProbe );
	return irradiance;
}
vec3 getAmbientLightIrradiance( const in vec3 ambientLightColor ) {
	vec3 irradiance = ambientLightColor;
	return irradiance;
}
float getDistanceAttenuation( const in float lightDistance, const in float cutoffDistance, const in float decayExponent ) {
	float distanceFalloff = 1.0 / max( pow( lightDistance, decayExponent ), 0.01 );
	if ( cutoffDistance > 0.0 ) {
		distanceFalloff *= pow2( saturate( 1.0 - pow4( lightDistance / cutoffDistance ) ) );
	}
	return distanceFalloff;
}
float getSpotAttenuation( const in float coneCosine, const in float penumbraCosine, const in float angleCosine ) {
	return smoothstep( coneCosine, penumbraCosine, angleCosine );
}
#if NUM_SUN_LIGHTS > 0
	struct SunLight {
		vec3 direction;
		vec3 color;
	};
	uniform SunLight sunLights[ NUM_SUN_LIGHTS ];
	void getSunLightInfo( const in SunLight sunLight, out IncidentLight light ) {
		light.color = sunLight.color;
		light.direction = sunLight.direction;
		light.visible = true;
	}
#endif
#if NUM_DIR_LIGHTS > 0
	struct DirectionalLight {
		vec3 direction;
		vec3 color;
	};
	uniform DirectionalLight directionalLights[ NUM_DIR_LIGHTS ];
	void getDirectionalLightInfo( const in DirectionalLight directionalLight, out IncidentLight light ) {
		light.color = directionalLight.color;
		light.direction = directionalLight.direction;
		light.visible = true;
	}
#endif
#if NUM_POINT_LIGHTS > 0
	struct PointLight {
		vec3 position;
		vec3 color;
		float distance;
		float decay;
	};
	uniform PointLight pointLights[ NUM_POINT_LIGHTS ];
	void getPointLightInfo( const in PointLight pointLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = pointLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float lightDistance = length( lVector );
		light.color = pointLight.color;
		light.color *= getDistanceAttenuation( lightDistance, pointLight.distance, pointLight.decay );
		light.visible = ( light.color != vec3( 0.0 ) );
	}
#endif
#if NUM_SPOT_LIGHTS > 0
	struct SpotLight {
		vec3 position;
		vec3 direction;
		vec3 color;
		float distance;
		float decay;
		float coneCos;
		float penumbraCos;
	};
	uniform SpotLight spotLights[ NUM_SPOT_LIGHTS ];
	void getSpotLightInfo( const in SpotLight spotLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = spotLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float angleCos = dot( light.direction, spotLight.direction );
		float spotAttenuation = getSpotAttenuation( spotLight.coneCos, spotLight.penumbraCos, angleCos );
		if ( spotAttenuation > 0.0 ) {
			float lightDistance = length( lVector );
			light.color = spotLight.color * spotAttenuation;
			light.color *= getDistanceAttenuation( lightDistance, spotLight.distance, spotLight.decay );
			light.visible = ( light.color != vec3( 0.0 ) );
		} else {
			light.color = vec3( 0.0 );
			light.visible = false;
		}
	}
#endif
#if NUM_RECT_AREA_LIGHTS > 0
	struct RectAreaLight {
		vec3 color;
		vec3 position;
		vec3 halfWidth;
		vec3 halfHeight;
	};
	uniform sampler2D ltc_1;	uniform sampler2D ltc_2;
	uniform RectAreaLight rectAreaLights[ NUM_RECT_AREA_LIGHTS ];
#endif
#if NUM_HEMI_LIGHTS > 0
	struct HemisphereLight {
		vec3 direction;
		vec3 skyColor;
		vec3 groundColor;
	};
	uniform HemisphereLight hemisphereLights[ NUM_HEMI_LIGHTS ];
	vec3 getHemisphereLightIrradiance( const in HemisphereLight hemiLight, const in vec3 normal ) {
		float dotNL = dot( normal, hemiLight.direction );
		float hemiDiffuseWeight = 0.5 * dotNL + 0.5;
		vec3 irradiance = mix( hemiLight.groundColor, hemiLight.skyColor, hemiDiffuseWeight );
		return irradiance;
	}
#endif
#include <lightprobes_pars_fragment>`,fy=`#ifdef USE_ENVMAP
	vec3 getIBLIrradiance( const in vec3 normal ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * worldNormal, ENVMAP_MAX_LOD );
			return PI * envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	vec3 getIBLRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 reflectVec = reflect( - viewDir, normal );
			reflectVec = normalize( mix( reflectVec, normal, pow4( roughness ) ) );
			reflectVec = transformDirectionByInverseViewMatrix( reflectVec, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * reflectVec, roughnessToMip( roughness ) );
			return envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	#ifdef USE_RETROREFLECTION
		vec3 getIBLRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 retroVec = normalize( mix( viewDir, normal, pow4( roughness ) ) );
				retroVec = transformDirectionByInverseViewMatrix( retroVec, viewMatrix );
				vec4 envMapColor = textureLod( envMap, envMapRotation * retroVec, roughnessToMip( roughness ) );
				return envMapColor.rgb * envMapIntensity;
			#else
				return vec3( 0.0 );
			#endif
		}
	#endif
	#ifdef USE_ANISOTROPY
		vec3 getIBLAnisotropyRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 bentNormal = cross( bitangent, viewDir );
				bentNormal = normalize( cross( bentNormal, bitangent ) );
				bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
				return getIBLRadiance( viewDir, bentNormal, roughness );
			#else
				return vec3( 0.0 );
			#endif
		}
		#ifdef USE_RETROREFLECTION
			vec3 getIBLAnisotropyRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
				#ifdef ENVMAP_TYPE_PMREM
					vec3 bentNormal = cross( bitangent, viewDir );
					bentNormal = normalize( cross( bentNormal, bitangent ) );
					bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
					return getIBLRetroRadiance( viewDir, bentNormal, roughness );
				#else
					return vec3( 0.0 );
				#endif
			}
		#endif
	#endif
#endif`,py=`ToonMaterial material;
material.diffuseColor = diffuseColor.rgb;`,my=`varying vec3 vViewPosition;
struct ToonMaterial {
	vec3 diffuseColor;
};
void RE_Direct_Toon( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 irradiance = getGradientIrradiance( geometryNormal, directLight.direction ) * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Toon( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Toon
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Toon`,gy=`BlinnPhongMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularColor = specular;
material.specularShininess = shininess;
material.specularStrength = specularStrength;`,_y=`varying vec3 vViewPosition;
struct BlinnPhongMaterial {
	vec3 diffuseColor;
	vec3 specularColor;
	float specularShininess;
	float specularStrength;
};
void RE_Direct_BlinnPhong( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
	reflectedLight.directSpecular += irradiance * BRDF_BlinnPhong( directLight.direction, geometryViewDir, geometryNormal, material.specularColor, material.specularShininess ) * material.specularStrength;
}
void RE_IndirectDiffuse_BlinnPhong( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_BlinnPhong
#define RE_IndirectDiffuse		RE_IndirectDiffuse_BlinnPhong`,xy=`PhysicalMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.diffuseContribution = diffuseColor.rgb * ( 1.0 - metalnessFactor );
material.metalness = metalnessFactor;
vec3 dxy = max( abs( dFdx( nonPerturbedNormal ) ), abs( dFdy( nonPerturbedNormal ) ) );
float geometryRoughness = max( max( dxy.x, dxy.y ), dxy.z );
material.roughness = max( roughnessFactor, 0.045 );
material.roughness += geometryRoughness;
material.roughness = min( material.roughness, 1.0 );
#ifdef USE_DIFFUSE_ROUGHNESS
	float diffuseRoughnessFactor = diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		diffuseRoughnessFactor *= texture2D( diffuseRoughnessMap, vDiffuseRoughnessMapUv ).r;
	#endif
	material.diffuseRoughness = saturate( diffuseRoughnessFactor );
#endif
#ifdef IOR
	material.ior = ior;
	#ifdef USE_SPECULAR
		float specularIntensityFactor = specularIntensity;
		vec3 specularColorFactor = specularColor;
		#ifdef USE_SPECULAR_COLORMAP
			specularColorFactor *= texture2D( specularColorMap, vSpecularColorMapUv ).rgb;
		#endif
		#ifdef USE_SPECULAR_INTENSITYMAP
			specularIntensityFactor *= texture2D( specularIntensityMap, vSpecularIntensityMapUv ).a;
		#endif
		material.specularF90 = mix( specularIntensityFactor, 1.0, metalnessFactor );
	#else
		float specularIntensityFactor = 1.0;
		vec3 specularColorFactor = vec3( 1.0 );
		material.specularF90 = 1.0;
	#endif
	material.specularColor = min( pow2( ( material.ior - 1.0 ) / ( material.ior + 1.0 ) ) * specularColorFactor, vec3( 1.0 ) ) * specularIntensityFactor;
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
#else
	material.specularColor = vec3( 0.04 );
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
	material.specularF90 = 1.0;
#endif
#ifdef USE_CLEARCOAT
	material.clearcoat = clearcoat;
	material.clearcoatRoughness = clearcoatRoughness;
	material.clearcoatF0 = vec3( 0.04 );
	material.clearcoatF90 = 1.0;
	#ifdef USE_CLEARCOATMAP
		material.clearcoat *= texture2D( clearcoatMap, vClearcoatMapUv ).x;
	#endif
	#ifdef USE_CLEARCOAT_ROUGHNESSMAP
		material.clearcoatRoughness *= texture2D( clearcoatRoughnessMap, vClearcoatRoughnessMapUv ).y;
	#endif
	material.clearcoat = saturate( material.clearcoat );	material.clearcoatRoughness = max( material.clearcoatRoughness, 0.045 );
	material.clearcoatRoughness += geometryRoughness;
	material.clearcoatRoughness = min( material.clearcoatRoughness, 1.0 );
#endif
#ifdef USE_DISPERSION
	material.dispersion = dispersion;
#endif
#ifdef USE_RETROREFLECTION
	material.retroreflectivity = retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	material.iridescence = iridescence;
	material.iridescenceIOR = iridescenceIOR;
	#ifdef USE_IRIDESCENCEMAP
		material.iridescence *= texture2D( iridescenceMap, vIridescenceMapUv ).r;
	#endif
	#ifdef USE_IRIDESCENCE_THICKNESSMAP
		material.iridescenceThickness = (iridescenceThicknessMaximum - iridescenceThicknessMinimum) * texture2D( iridescenceThicknessMap, vIridescenceThicknessMapUv ).g + iridescenceThicknessMinimum;
	#else
		material.iridescenceThickness = iridescenceThicknessMaximum;
	#endif
#endif
#ifdef USE_SHEEN
	material.sheenColor = sheenColor;
	#ifdef USE_SHEEN_COLORMAP
		material.sheenColor *= texture2D( sheenColorMap, vSheenColorMapUv ).rgb;
	#endif
	material.sheenRoughness = clamp( sheenRoughness, 0.0001, 1.0 );
	#ifdef USE_SHEEN_ROUGHNESSMAP
		material.sheenRoughness *= texture2D( sheenRoughnessMap, vSheenRoughnessMapUv ).a;
	#endif
#endif
#ifdef USE_ANISOTROPY
	#ifdef USE_ANISOTROPYMAP
		mat2 anisotropyMat = mat2( anisotropyVector.x, anisotropyVector.y, - anisotropyVector.y, anisotropyVector.x );
		vec3 anisotropyPolar = texture2D( anisotropyMap, vAnisotropyMapUv ).rgb;
		vec2 anisotropyV = anisotropyMat * normalize( 2.0 * anisotropyPolar.rg - vec2( 1.0 ) ) * anisotropyPolar.b;
	#else
		vec2 anisotropyV = anisotropyVector;
	#endif
	material.anisotropy = length( anisotropyV );
	if( material.anisotropy == 0.0 ) {
		anisotropyV = vec2( 1.0, 0.0 );
	} else {
		anisotropyV /= material.anisotropy;
		material.anisotropy = saturate( material.anisotropy );
	}
	material.alphaT = mix( pow2( material.roughness ), 1.0, pow2( material.anisotropy ) );
	material.anisotropyT = tbn[ 0 ] * anisotropyV.x + tbn[ 1 ] * anisotropyV.y;
	material.anisotropyB = tbn[ 1 ] * anisotropyV.x - tbn[ 0 ] * anisotropyV.y;
#endif`,vy=`uniform sampler2D dfgLUT;
struct PhysicalMaterial {
	vec3 diffuseColor;
	vec3 diffuseContribution;
	vec3 specularColor;
	vec3 specularColorBlended;
	float roughness;
	float metalness;
	float specularF90;
	float dispersion;
	vec2 dfg;
	vec3 multiScatteringCompensation;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float diffuseRoughness;
	#endif
	#ifdef USE_RETROREFLECTION
		float retroreflectivity;
	#endif
	#ifdef USE_CLEARCOAT
		float clearcoat;
		float clearcoatRoughness;
		vec3 clearcoatF0;
		float clearcoatF90;
	#endif
	#ifdef USE_IRIDESCENCE
		float iridescence;
		float iridescenceIOR;
		float iridescenceThickness;
		vec3 iridescenceFresnel;
		vec3 iridescenceF0Dielectric;
		vec3 iridescenceF0Metallic;
	#endif
	#ifdef USE_SHEEN
		vec3 sheenColor;
		float sheenRoughness;
	#endif
	#ifdef IOR
		float ior;
	#endif
	#ifdef USE_TRANSMISSION
		float transmission;
		float transmissionAlpha;
		float thickness;
		float attenuationDistance;
		vec3 attenuationColor;
	#endif
	#ifdef USE_ANISOTROPY
		float anisotropy;
		float alphaT;
		vec3 anisotropyT;
		vec3 anisotropyB;
	#endif
};
vec3 clearcoatSpecularDirect = vec3( 0.0 );
vec3 clearcoatSpecularIndirect = vec3( 0.0 );
vec3 sheenSpecularDirect = vec3( 0.0 );
vec3 sheenSpecularIndirect = vec3(0.0 );
vec3 Schlick_to_F0( const in vec3 f, const in float f90, const in float dotVH ) {
    float x = clamp( 1.0 - dotVH, 0.0, 1.0 );
    float x2 = x * x;
    float x5 = clamp( x * x2 * x2, 0.0, 0.9999 );
    return ( f - vec3( f90 ) * x5 ) / ( 1.0 - x5 );
}
#ifdef USE_DIFFUSE_ROUGHNESS
	const float EON_EPSILON = 1e-7;
	float FON_DirectionalAlbedo( const in float mu, const in float roughness, const in float A ) {
		float muComp = 1.0 - mu;
		float gOverPi = muComp * ( 0.0571085289 + muComp * ( 0.491881867 + muComp * ( - 0.332181442 + muComp * 0.0714429953 ) ) );
		return A * ( 1.0 + roughness * gOverPi );
	}
	vec3 BRDF_EON( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 diffuseColor, const in float roughness ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return BRDF_Lambert( rho );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float s = dot( lightDir, viewDir ) - dotNL * dotNV;
		float sOverT = ( s > 0.0 ) ? s / max( max( dotNL, dotNV ), EON_EPSILON ) : s;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		vec3 singleScatter = rho * RECIPROCAL_PI * A * ( 1.0 + roughness * sOverT );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		float albedoV = FON_DirectionalAlbedo( dotNV, roughness, A );
		float albedoL = FON_DirectionalAlbedo( dotNL, roughness, A );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		vec3 multiScatter = rhoMultiScatter * RECIPROCAL_PI
			* max( EON_EPSILON, 1.0 - albedoV )
			* max( EON_EPSILON, 1.0 - albedoL )
			/ max( EON_EPSILON, 1.0 - averageAlbedo );
		return singleScatter + multiScatter;
	}
	vec3 EON_DirectionalAlbedo( const in vec3 diffuseColor, const in float roughness, const in float dotNV ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return rho;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		float directionalAlbedo = FON_DirectionalAlbedo( dotNV, roughness, A );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		return rho * directionalAlbedo + rhoMultiScatter * ( 1.0 - directionalAlbedo );
	}
#endif
float V_GGX_SmithCorrelated( const in float alpha, const in float dotNL, const in float dotNV ) {
	float a2 = pow2( alpha );
	float gv = dotNL * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNV ) );
	float gl = dotNV * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNL ) );
	return 0.5 / max( gv + gl, EPSILON );
}
float D_GGX( const in float alpha, const in float dotNH ) {
	float a2 = pow2( alpha );
	float denom = pow2( dotNH ) * ( a2 - 1.0 ) + 1.0;
	return RECIPROCAL_PI * a2 / pow2( denom );
}
#ifdef USE_ANISOTROPY
	float V_GGX_SmithCorrelated_Anisotropic( const in float alphaT, const in float alphaB, const in float dotTV, const in float dotBV, const in float dotTL, const in float dotBL, const in float dotNV, const in float dotNL ) {
		float gv = dotNL * length( vec3( alphaT * dotTV, alphaB * dotBV, dotNV ) );
		float gl = dotNV * length( vec3( alphaT * dotTL, alphaB * dotBL, dotNL ) );
		return 0.5 / max( gv + gl, EPSILON );
	}
	float D_GGX_Anisotropic( const in float alphaT, const in float alphaB, const in float dotNH, const in float dotTH, const in float dotBH ) {
		float a2 = alphaT * alphaB;
		highp vec3 v = vec3( alphaB * dotTH, alphaT * dotBH, a2 * dotNH );
		highp float v2 = dot( v, v );
		float w2 = a2 / v2;
		return RECIPROCAL_PI * a2 * pow2 ( w2 );
	}
#endif
#ifdef USE_CLEARCOAT
	vec3 BRDF_GGX_Clearcoat( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material) {
		vec3 f0 = material.clearcoatF0;
		float f90 = material.clearcoatF90;
		float roughness = max( material.clearcoatRoughness, 0.045 );
		float alpha = pow2( roughness );
		vec3 halfDir = normalize( lightDir + viewDir );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float dotNH = saturate( dot( normal, halfDir ) );
		float dotVH = saturate( dot( viewDir, halfDir ) );
		vec3 F = F_Schlick( f0, f90, dotVH );
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
		return F * ( V * D );
	}
#endif
vec3 BRDF_GGX( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material ) {
	vec3 f0 = material.specularColorBlended;
	float f90 = material.specularF90;
	float roughness = max( material.roughness, 0.045 );
	float alpha = pow2( roughness );
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( f0, f90, dotVH );
	#ifdef USE_IRIDESCENCE
		F = mix( F, material.iridescenceFresnel, material.iridescence );
	#endif
	#ifdef USE_ANISOTROPY
		float dotTL = dot( material.anisotropyT, lightDir );
		float dotTV = dot( material.anisotropyT, viewDir );
		float dotTH = dot( material.anisotropyT, halfDir );
		float dotBL = dot( material.anisotropyB, lightDir );
		float dotBV = dot( material.anisotropyB, viewDir );
		float dotBH = dot( material.anisotropyB, halfDir );
		float alphaT = max( material.alphaT, alpha );
		float V = V_GGX_SmithCorrelated_Anisotropic( alphaT, alpha, dotTV, dotBV, dotTL, dotBL, dotNV, dotNL );
		float D = D_GGX_Anisotropic( alphaT, alpha, dotNH, dotTH, dotBH );
	#else
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
	#endif
	return F * ( V * D );
}
vec2 LTC_Uv( const in vec3 N, const in vec3 V, const in float roughness ) {
	const float LUT_SIZE = 64.0;
	const float LUT_SCALE = ( LUT_SIZE - 1.0 ) / LUT_SIZE;
	const float LUT_BIAS = 0.5 / LUT_SIZE;
	float dotNV = saturate( dot( N, V ) );
	vec2 uv = vec2( roughness, sqrt( 1.0 - dotNV ) );
	uv = uv * LUT_SCALE + LUT_BIAS;
	return uv;
}
float LTC_ClippedSphereFormFactor( const in vec3 f ) {
	float l = length( f );
	return max( ( l * l + f.z ) / ( l + 1.0 ), 0.0 );
}
vec3 LTC_EdgeVectorFormFactor( const in vec3 v1, const in vec3 v2 ) {
	float x = dot( v1, v2 );
	float y = abs( x );
	float a = 0.8543985 + ( 0.4965155 + 0.0145206 * y ) * y;
	float b = 3.4175940 + ( 4.1616724 + y ) * y;
	float v = a / b;
	float theta_sintheta = ( x > 0.0 ) ? v : 0.5 * inversesqrt( max( 1.0 - x * x, 1e-7 ) ) - v;
	return cross( v1, v2 ) * theta_sintheta;
}
vec3 LTC_Evaluate( const in vec3 N, const in vec3 V, const in vec3 P, const in mat3 mInv, const in vec3 rectCoords[ 4 ] ) {
	vec3 v1 = rectCoords[ 1 ] - rectCoords[ 0 ];
	vec3 v2 = rectCoords[ 3 ] - rectCoords[ 0 ];
	vec3 lightNormal = cross( v1, v2 );
	if( dot( lightNormal, P - rectCoords[ 0 ] ) < 0.0 ) return vec3( 0.0 );
	vec3 T1, T2;
	T1 = normalize( V - N * dot( V, N ) );
	T2 = - cross( N, T1 );
	mat3 mat = mInv * transpose( mat3( T1, T2, N ) );
	vec3 coords[ 4 ];
	coords[ 0 ] = mat * ( rectCoords[ 0 ] - P );
	coords[ 1 ] = mat * ( rectCoords[ 1 ] - P );
	coords[ 2 ] = mat * ( rectCoords[ 2 ] - P );
	coords[ 3 ] = mat * ( rectCoords[ 3 ] - P );
	coords[ 0 ] = normalize( coords[ 0 ] );
	coords[ 1 ] = normalize( coords[ 1 ] );
	coords[ 2 ] = normalize( coords[ 2 ] );
	coords[ 3 ] = normalize( coords[ 3 ] );
	vec3 vectorFormFactor = vec3( 0.0 );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 0 ], coords[ 1 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 1 ], coords[ 2 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 2 ], coords[ 3 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 3 ], coords[ 0 ] );
	float result = LTC_ClippedSphereFormFactor( vectorFormFactor );
	return vec3( result );
}
#if defined( USE_SHEEN )
float D_Charlie( float roughness, float dotNH ) {
	float alpha = pow2( roughness );
	float invAlpha = 1.0 / alpha;
	float cos2h = dotNH * dotNH;
	float sin2h = max( 1.0 - cos2h, 0.0078125 );
	return ( 2.0 + invAlpha ) * pow( sin2h, invAlpha * 0.5 ) / ( 2.0 * PI );
}
float V_Neubelt( float dotNV, float dotNL ) {
	return saturate( 1.0 / ( 4.0 * ( dotNL + dotNV - dotNL * dotNV ) ) );
}
vec3 BRDF_Sheen( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, vec3 sheenColor, const in float sheenRoughness ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float D = D_Charlie( sheenRoughness, dotNH );
	float V = V_Neubelt( dotNV, dotNL );
	return sheenColor * ( D * V );
}
#endif
float IBLSheenBRDF( const in vec3 normal, const in vec3 viewDir, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	float r2 = roughness * roughness;
	float rInv = 1.0 / ( roughness + 0.1 );
	float a = -1.9362 + 1.0678 * roughness + 0.4573 * r2 - 0.8469 * rInv;
	float b = -0.6014 + 0.5538 * roughness - 0.4670 * r2 - 0.1255 * rInv;
	float DG = exp( a * dotNV + b );
	return saturate( DG );
}
vec3 EnvironmentBRDF( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	vec2 fab = texture2D( dfgLUT, vec2( roughness, dotNV ) ).rg;
	return specularColor * fab.x + specularF90 * fab.y;
}
#ifdef USE_IRIDESCENCE
void computeMultiscatteringIridescence( const in vec2 fab, const in vec3 specularColor, const in float specularF90, const in float iridescence, const in vec3 iridescenceF0, inout vec3 singleScatter, inout vec3 multiScatter ) {
#else
void computeMultiscattering( const in vec2 fab, const in vec3 specularColor, const in float specularF90, inout vec3 singleScatter, inout vec3 multiScatter ) {
#endif
	#ifdef USE_IRIDESCENCE
		vec3 Fr = mix( specularColor, iridescenceF0, iridescence );
	#else
		vec3 Fr = specularColor;
	#endif
	vec3 FssEss = Fr * fab.x + specularF90 * fab.y;
	float Ess = fab.x + fab.y;
	float Ems = 1.0 - Ess;
	vec3 Favg = Fr + ( 1.0 - Fr ) * 0.047619;	vec3 Fms = FssEss * Favg / ( 1.0 - Ems * Favg );
	singleScatter += FssEss;
	multiScatter += Fms * Ems;
}
#if NUM_RECT_AREA_LIGHTS > 0
	void RE_Direct_RectArea_Physical( const in RectAreaLight rectAreaLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
		vec3 normal = geometryNormal;
		vec3 viewDir = geometryViewDir;
		vec3 position = geometryPosition;
		vec3 lightPos = rectAreaLight.position;
		vec3 halfWidth = rectAreaLight.halfWidth;
		vec3 halfHeight = rectAreaLight.halfHeight;
		vec3 lightColor = rectAreaLight.color;
		float roughness = material.roughness;
		vec3 rectCoords[ 4 ];
		rectCoords[ 0 ] = lightPos + halfWidth - halfHeight;		rectCoords[ 1 ] = lightPos - halfWidth - halfHeight;
		rectCoords[ 2 ] = lightPos - halfWidth + halfHeight;
		rectCoords[ 3 ] = lightPos + halfWidth + halfHeight;
		vec2 uv = LTC_Uv( normal, viewDir, roughness );
		vec4 t1 = texture2D( ltc_1, uv );
		vec4 t2 = texture2D( ltc_2, uv );
		mat3 mInv = mat3(
			vec3( t1.x, 0, t1.y ),
			vec3(    0, 1,    0 ),
			vec3( t1.z, 0, t1.w )
		);
		vec3 fresnel = ( material.specularColorBlended * t2.x + ( material.specularF90 - material.specularColorBlended ) * t2.y );
		reflectedLight.directSpecular += lightColor * fresnel * LTC_Evaluate( normal, viewDir, position, mInv, rectCoords );
		reflectedLight.directDiffuse += lightColor * material.diffuseContribution * LTC_Evaluate( normal, viewDir, position, mat3( 1.0 ), rectCoords );
		#ifdef USE_CLEARCOAT
			vec3 Ncc = geometryClearcoatNormal;
			vec2 uvClearcoat = LTC_Uv( Ncc, viewDir, material.clearcoatRoughness );
			vec4 t1Clearcoat = texture2D( ltc_1, uvClearcoat );
			vec4 t2Clearcoat = texture2D( ltc_2, uvClearcoat );
			mat3 mInvClearcoat = mat3(
				vec3( t1Clearcoat.x, 0, t1Clearcoat.y ),
				vec3(             0, 1,             0 ),
				vec3( t1Clearcoat.z, 0, t1Clearcoat.w )
			);
			vec3 fresnelClearcoat = material.clearcoatF0 * t2Clearcoat.x + ( material.clearcoatF90 - material.clearcoatF0 ) * t2Clearcoat.y;
			clearcoatSpecularDirect += lightColor * fresnelClearcoat * LTC_Evaluate( Ncc, viewDir, position, mInvClearcoat, rectCoords );
		#endif
	}
#endif
void RE_Direct_Physical( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	#ifdef USE_CLEARCOAT
		float dotNLcc = saturate( dot( geometryClearcoatNormal, directLight.direction ) );
		vec3 ccIrradiance = dotNLcc * directLight.color;
		clearcoatSpecularDirect += ccIrradiance * BRDF_GGX_Clearcoat( directLight.direction, geometryViewDir, geometryClearcoatNormal, material );
	#endif
	#ifdef USE_SHEEN
 
 		sheenSpecularDirect += irradiance * BRDF_Sheen( directLight.direction, geometryViewDir, geometryNormal, material.sheenColor, material.sheenRoughness );
 
 		float sheenAlbedoV = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
 		float sheenAlbedoL = IBLSheenBRDF( geometryNormal, directLight.direction, material.sheenRoughness );
 
 		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * max( sheenAlbedoV, sheenAlbedoL );
 
 		irradiance *= sheenEnergyComp;
 
 	#endif
	vec3 specularBRDF = BRDF_GGX( directLight.direction, geometryViewDir, geometryNormal, material );
	#ifdef USE_RETROREFLECTION
		vec3 retroViewDir = reflect( - geometryViewDir, geometryNormal );
		vec3 retroSpecularBRDF = BRDF_GGX( directLight.direction, retroViewDir, geometryNormal, material );
		specularBRDF = mix( specularBRDF, retroSpecularBRDF, saturate( material.retroreflectivity ) );
	#endif
	reflectedLight.directSpecular += irradiance * specularBRDF * material.multiScatteringCompensation;
	vec3 halfDir = normalize( directLight.direction + geometryViewDir );
	float dotVH = saturate( dot( geometryViewDir, halfDir ) );
	vec3 F = F_Schlick( material.specularColor, material.specularF90, dotVH );
	#ifdef USE_RETROREFLECTION
		vec3 retroHalfDir = normalize( directLight.direction + retroViewDir );
		float dotRetroVH = saturate( dot( retroViewDir, retroHalfDir ) );
		vec3 retroF = F_Schlick( material.specularColor, material.specularF90, dotRetroVH );
		F = mix( F, retroF, saturate( material.retroreflectivity ) );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		vec3 diffuseBRDF = BRDF_EON( directLight.direction, geometryViewDir, geometryNormal, material.diffuseColor, material.diffuseRoughness ) * ( 1.0 - material.metalness );
	#else
		vec3 diffuseBRDF = BRDF_Lambert( material.diffuseContribution );
	#endif
	reflectedLight.directDiffuse += irradiance * diffuseBRDF * ( 1.0 - F );
}
void RE_IndirectDiffuse_Physical( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 singleScattering = vec3( 0.0 );
	vec3 multiScattering = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScattering, multiScattering );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScattering, multiScattering );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuseAlbedo = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness );
		vec3 diffuse = irradiance * RECIPROCAL_PI * diffuseAlbedo * ( 1.0 - singleScattering - multiScattering );
	#else
		vec3 diffuse = irradiance * BRDF_Lambert( material.diffuseContribution ) * ( 1.0 - singleScattering - multiScattering );
	#endif
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		sheenSpecularIndirect += irradiance * material.sheenColor * sheenAlbedo * RECIPROCAL_PI;
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		diffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectDiffuse += diffuse;
}
void RE_IndirectSpecular_Physical( const in vec3 radiance, const in vec3 irradiance, const in vec3 clearcoatRadiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight) {
	#ifdef USE_CLEARCOAT
		clearcoatSpecularIndirect += clearcoatRadiance * EnvironmentBRDF( geometryClearcoatNormal, geometryViewDir, material.clearcoatF0, material.clearcoatF90, material.clearcoatRoughness );
	#endif
	#ifdef USE_SHEEN
		sheenSpecularIndirect += irradiance * material.sheenColor * IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness ) * RECIPROCAL_PI;
 	#endif
	vec3 singleScatteringDielectric = vec3( 0.0 );
	vec3 multiScatteringDielectric = vec3( 0.0 );
	vec3 singleScatteringMetallic = vec3( 0.0 );
	vec3 multiScatteringMetallic = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscatteringIridescence( material.dfg, material.diffuseColor, material.specularF90, material.iridescence, material.iridescenceF0Metallic, singleScatteringMetallic, multiScatteringMetallic );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscattering( material.dfg, material.diffuseColor, material.specularF90, singleScatteringMetallic, multiScatteringMetallic );
	#endif
	vec3 singleScattering = mix( singleScatteringDielectric, singleScatteringMetallic, material.metalness );
	vec3 multiScattering = mix( multiScatteringDielectric, multiScatteringMetallic, material.metalness );
	vec3 totalScatteringDielectric = singleScatteringDielectric + multiScatteringDielectric;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuse = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness ) * ( 1.0 - totalScatteringDielectric );
	#else
		vec3 diffuse = material.diffuseContribution * ( 1.0 - totalScatteringDielectric );
	#endif
	vec3 cosineWeightedIrradiance = irradiance * RECIPROCAL_PI;
	vec3 indirectSpecular = radiance * singleScattering;
	indirectSpecular += multiScattering * cosineWeightedIrradiance;
	vec3 indirectDiffuse = diffuse * cosineWeightedIrradiance;
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		indirectSpecular *= sheenEnergyComp;
		indirectDiffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectSpecular += indirectSpecular;
	reflectedLight.indirectDiffuse += indirectDiffuse;
}
#define RE_Direct				RE_Direct_Physical
#define RE_Direct_RectArea		RE_Direct_RectArea_Physical
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Physical
#define RE_IndirectSpecular		RE_IndirectSpecular_Physical
float computeSpecularOcclusion( const in float dotNV, const in float ambientOcclusion, const in float roughness ) {
	return saturate( pow( dotNV + ambientOcclusion, exp2( - 16.0 * roughness - 1.0 ) ) - 1.0 + ambientOcclusion );
}`,yy=`
vec3 geometryPosition = - vViewPosition;
vec3 geometryNormal = normal;
vec3 geometryViewDir = ( isOrthographic ) ? vec3( 0, 0, 1 ) : normalize( vViewPosition );
vec3 geometryClearcoatNormal = vec3( 0.0 );
#ifdef USE_CLEARCOAT
	geometryClearcoatNormal = clearcoatNormal;
#endif
#ifdef USE_IRIDESCENCE
	float dotNVi = saturate( dot( normal, geometryViewDir ) );
	if ( material.iridescenceThickness == 0.0 ) {
		material.iridescence = 0.0;
	} else {
		material.iridescence = saturate( material.iridescence );
	}
	if ( material.iridescence > 0.0 ) {
		vec3 iridescenceFresnelDielectric = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.specularColor );
		vec3 iridescenceFresnelMetallic = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.diffuseColor );
		material.iridescenceFresnel = mix( iridescenceFresnelDielectric, iridescenceFresnelMetallic, material.metalness );
		material.iridescenceF0Dielectric = Schlick_to_F0( iridescenceFresnelDielectric, 1.0, dotNVi );
		material.iridescenceF0Metallic = Schlick_to_F0( iridescenceFresnelMetallic, 1.0, dotNVi );
	}
#endif
#ifdef STANDARD
	float dotNVms = saturate( dot( geometryNormal, geometryViewDir ) );
	material.dfg = texture2D( dfgLUT, vec2( material.roughness, dotNVms ) ).rg;
	#if ( NUM_SUN_LIGHTS > 0 || NUM_DIR_LIGHTS > 0 || NUM_POINT_LIGHTS > 0 || NUM_SPOT_LIGHTS > 0 )
		float EssMs = material.dfg.x + material.dfg.y;
		material.multiScatteringCompensation = 1.0 + material.specularColorBlended * ( 1.0 / EssMs - 1.0 );
	#endif
#endif
IncidentLight directLight;
#if ( NUM_POINT_LIGHTS > 0 ) && defined( RE_Direct )
	PointLight pointLight;
	#if defined( USE_SHADOWMAP ) && NUM_POINT_LIGHT_SHADOWS > 0
	PointLightShadow pointLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHTS; i ++ ) {
		pointLight = pointLights[ i ];
		getPointLightInfo( pointLight, geometryPosition, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_POINT_LIGHT_SHADOWS ) && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
		pointLightShadow = pointLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getPointShadow( pointShadowMap[ i ], pointLightShadow.shadowMapSize, pointLightShadow.shadowIntensity, pointLightShadow.shadowBias, pointLightShadow.shadowRadius, vPointShadowCoord[ i ], pointLightShadow.shadowCameraNear, pointLightShadow.shadowCameraFar ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SPOT_LIGHTS > 0 ) && defined( RE_Direct )
	SpotLight spotLight;
	vec4 spotColor;
	vec3 spotLightCoord;
	bool inSpotLightMap;
	#if defined( USE_SHADOWMAP ) && NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHTS; i ++ ) {
		spotLight = spotLights[ i ];
		getSpotLightInfo( spotLight, geometryPosition, directLight );
		#if ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#define SPOT_LIGHT_MAP_INDEX UNROLLED_LOOP_INDEX
		#elif ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		#define SPOT_LIGHT_MAP_INDEX NUM_SPOT_LIGHT_MAPS
		#else
		#define SPOT_LIGHT_MAP_INDEX ( UNROLLED_LOOP_INDEX - NUM_SPOT_LIGHT_SHADOWS + NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#endif
		#if ( SPOT_LIGHT_MAP_INDEX < NUM_SPOT_LIGHT_MAPS )
			spotLightCoord = vSpotLightCoord[ i ].xyz / vSpotLightCoord[ i ].w;
			inSpotLightMap = all( lessThan( abs( spotLightCoord * 2. - 1. ), vec3( 1.0 ) ) );
			spotColor = texture2D( spotLightMap[ SPOT_LIGHT_MAP_INDEX ], spotLightCoord.xy );
			directLight.color = inSpotLightMap ? directLight.color * spotColor.rgb : directLight.color;
		#endif
		#undef SPOT_LIGHT_MAP_INDEX
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		spotLightShadow = spotLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( spotShadowMap[ i ], spotLightShadow.shadowMapSize, spotLightShadow.shadowIntensity, spotLightShadow.shadowBias, spotLightShadow.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SUN_LIGHTS > 0 ) && defined( RE_Direct )
	SunLight sunLight;
	#if defined( USE_SHADOWMAP ) && NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHTS; i ++ ) {
		sunLight = sunLights[ i ];
		getSunLightInfo( sunLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SUN_LIGHT_SHADOWS )
		sunLightShadow = sunLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getSunShadow( sunShadowMap[ i ], sunLightShadow, UNROLLED_LOOP_INDEX ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_DIR_LIGHTS > 0 ) && defined( RE_Direct )
	DirectionalLight directionalLight;
	#if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHTS; i ++ ) {
		directionalLight = directionalLights[ i ];
		getDirectionalLightInfo( directionalLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_DIR_LIGHT_SHADOWS )
		directionalLightShadow = directionalLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( directionalShadowMap[ i ], directionalLightShadow.shadowMapSize, directionalLightShadow.shadowIntensity, directionalLightShadow.shadowBias, directionalLightShadow.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_RECT_AREA_LIGHTS > 0 ) && defined( RE_Direct_RectArea )
	RectAreaLight rectAreaLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_RECT_AREA_LIGHTS; i ++ ) {
		rectAreaLight = rectAreaLights[ i ];
		RE_Direct_RectArea( rectAreaLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if defined( RE_IndirectDiffuse )
	vec3 iblIrradiance = vec3( 0.0 );
	vec3 irradiance = getAmbientLightIrradiance( ambientLightColor );
	#if defined( USE_LIGHT_PROBES )
		irradiance += getLightProbeIrradiance( lightProbe, geometryNormal );
	#endif
	#if ( NUM_HEMI_LIGHTS > 0 )
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_HEMI_LIGHTS; i ++ ) {
			irradiance += getHemisphereLightIrradiance( hemisphereLights[ i ], geometryNormal );
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_LIGHT_PROBE_GRIDS > 0
		vec3 probeWorldPos = ( ( vec4( geometryPosition, 1.0 ) - viewMatrix[ 3 ] ) * viewMatrix ).xyz;
		vec3 probeWorldNormal = transformNormalByInverseViewMatrix( geometryNormal, viewMatrix );
		int probeGrid = - 1;
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( isInsideLightProbeGrid( probeWorldPos, probeWorldNormal, probesMin[ i ], probesMax[ i ], probesResolution[ i ] ) ) probeGrid = UNROLLED_LOOP_INDEX;
		}
		#pragma unroll_loop_end
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( probeGrid == UNROLLED_LOOP_INDEX ) irradiance += getLightProbeGridIrradiance( probesSH[ i ], probesMin[ i ], probesMax[ i ], probesResolution[ i ], probeWorldPos, probeWorldNormal );
		}
		#pragma unroll_loop_end
	#endif
#endif
#if defined( RE_IndirectSpecular )
	vec3 radiance = vec3( 0.0 );
	vec3 clearcoatRadiance = vec3( 0.0 );
#endif`,by=`#if defined( RE_IndirectDiffuse )
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		vec3 lightMapIrradiance = lightMapTexel.rgb * lightMapIntensity;
		irradiance += lightMapIrradiance;
	#endif
	#if defined( USE_ENVMAP ) && defined( ENVMAP_TYPE_PMREM )
		#if defined( STANDARD ) || defined( LAMBERT ) || defined( PHONG )
			iblIrradiance += getIBLIrradiance( geometryNormal );
		#endif
	#endif
#endif
#if defined( USE_ENVMAP ) && defined( RE_IndirectSpecular )
	#ifdef USE_ANISOTROPY
		vec3 iblRadiance = getIBLAnisotropyRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
	#else
		vec3 iblRadiance = getIBLRadiance( geometryViewDir, geometryNormal, material.roughness );
	#endif
	#ifdef USE_RETROREFLECTION
		#ifdef USE_ANISOTROPY
			vec3 retroIBLRadiance = getIBLAnisotropyRetroRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
		#else
			vec3 retroIBLRadiance = getIBLRetroRadiance( geometryViewDir, geometryNormal, material.roughness );
		#endif
		iblRadiance = mix( iblRadiance, retroIBLRadiance, saturate( material.retroreflectivity ) );
	#endif
	radiance += iblRadiance;
	#ifdef USE_CLEARCOAT
		clearcoatRadiance += getIBLRadiance( geometryViewDir, geometryClearcoatNormal, material.clearcoatRoughness );
	#endif
#endif`,Sy=`#if defined( RE_IndirectDiffuse )
	#if defined( LAMBERT ) || defined( PHONG )
		irradiance += iblIrradiance;
	#endif
	RE_IndirectDiffuse( irradiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif
#if defined( RE_IndirectSpecular )
	RE_IndirectSpecular( radiance, iblIrradiance, clearcoatRadiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif`,My=`#if NUM_LIGHT_PROBE_GRIDS > 0
uniform highp sampler3D probesSH[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMin[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMax[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesResolution[ NUM_LIGHT_PROBE_GRIDS ];
bool isInsideLightProbeGrid( vec3 worldPos, vec3 worldNormal, vec3 probesMin, vec3 probesMax, vec3 probesResolution ) {
	vec3 spacing = ( probesMax - probesMin ) / probesResolution;
	vec3 samplePos = worldPos + worldNormal * spacing * 0.5;
	vec3 margin = spacing * 0.01;
	return all( greaterThanEqual( samplePos, probesMin - margin ) ) && all( lessThanEqual( samplePos, probesMax + margin ) );
}
vec3 getLightProbeGridIrradiance( highp sampler3D probesSH, vec3 probesMin, vec3 probesMax, vec3 probesResolution, vec3 worldPos, vec3 worldNormal ) {
	vec3 res = probesResolution;
	vec3 gridRange = probesMax - probesMin;
	vec3 probeSpacing = gridRange / res;
	vec3 samplePos = worldPos + worldNormal * probeSpacing * 0.5;
	vec3 uvw = clamp( ( samplePos - probesMin ) / gridRange, 0.5 / res, 1.0 - 0.5 / res );
	float nz          = res.z;
	float paddedSlices = nz + 2.0;
	float atlasDepth  = 7.0 * paddedSlices;
	float uvZBase     = uvw.z * nz + 1.0;
	vec4 s0 = texture( probesSH, vec3( uvw.xy, ( uvZBase                       ) / atlasDepth ) );
	vec4 s1 = texture( probesSH, vec3( uvw.xy, ( uvZBase +       paddedSlices   ) / atlasDepth ) );
	vec4 s2 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 2.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s3 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 3.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s4 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 4.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s5 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 5.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s6 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 6.0 * paddedSlices   ) / atlasDepth ) );
	vec3 c0 = s0.xyz;
	vec3 c1 = vec3( s0.w, s1.xy );
	vec3 c2 = vec3( s1.zw, s2.x );
	vec3 c3 = s2.yzw;
	vec3 c4 = s3.xyz;
	vec3 c5 = vec3( s3.w, s4.xy );
	vec3 c6 = vec3( s4.zw, s5.x );
	vec3 c7 = s5.yzw;
	vec3 c8 = s6.xyz;
	float x = worldNormal.x, y = worldNormal.y, z = worldNormal.z;
	vec3 result = c0 * 0.886227;
	result += c1 * 2.0 * 0.511664 * y;
	result += c2 * 2.0 * 0.511664 * z;
	result += c3 * 2.0 * 0.511664 * x;
	result += c4 * 2.0 * 0.429043 * x * y;
	result += c5 * 2.0 * 0.429043 * y * z;
	result += c6 * ( 0.743125 * z * z - 0.247708 );
	result += c7 * 2.0 * 0.429043 * x * z;
	result += c8 * 0.429043 * ( x * x - y * y );
	return max( result, vec3( 0.0 ) );
}
#endif`,wy=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	gl_FragDepth = vIsPerspective == 0.0 ? gl_FragCoord.z : log2( vFragDepth ) * logDepthBufFC * 0.5;
#endif`,Ty=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	uniform float logDepthBufFC;
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,Ey=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,Ay=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	vFragDepth = 1.0 + gl_Position.w;
	vIsPerspective = float( isPerspectiveMatrix( projectionMatrix ) );
#endif`,Ry=`#ifdef USE_MAP
	vec4 sampledDiffuseColor = texture2D( map, vMapUv );
	#ifdef DECODE_VIDEO_TEXTURE
		sampledDiffuseColor = sRGBTransferEOTF( sampledDiffuseColor );
	#endif
	diffuseColor *= sampledDiffuseColor;
#endif`,Cy=`#ifdef USE_MAP
	uniform sampler2D map;
#endif`,Py=`#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
	#if defined( USE_POINTS_UV )
		vec2 uv = vUv;
	#else
		vec2 uv = ( uvTransform * vec3( gl_PointCoord.x, 1.0 - gl_PointCoord.y, 1 ) ).xy;
	#endif
#endif
#ifdef USE_MAP
	diffuseColor *= texture2D( map, uv );
#endif
#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, uv ).g;
#endif`,Iy=`#if defined( USE_POINTS_UV )
	varying vec2 vUv;
#else
	#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
		uniform mat3 uvTransform;
	#endif
#endif
#ifdef USE_MAP
	uniform sampler2D map;
#endif
#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,Ly=`float metalnessFactor = metalness;
#ifdef USE_METALNESSMAP
	vec4 texelMetalness = texture2D( metalnessMap, vMetalnessMapUv );
	metalnessFactor *= texelMetalness.b;
#endif`,Ny=`#ifdef USE_METALNESSMAP
	uniform sampler2D metalnessMap;
#endif`,Dy=`#ifdef USE_INSTANCING_MORPH
	float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	float morphTargetBaseInfluence = texelFetch( morphTexture, ivec2( 0, gl_InstanceID ), 0 ).r;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		morphTargetInfluences[i] =  texelFetch( morphTexture, ivec2( i + 1, gl_InstanceID ), 0 ).r;
	}
#endif`,Uy=`#if defined( USE_MORPHCOLORS )
	#if defined( USE_COLOR_ALPHA )
		vColor *= morphTargetBaseInfluence;
	#elif defined( USE_COLOR )
		vColor.rgb *= morphTargetBaseInfluence;
	#endif
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		#if defined( USE_COLOR_ALPHA )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor += getMorph( gl_VertexID, i, 2 ) * morphTargetInfluences[ i ];
		#elif defined( USE_COLOR )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor.rgb += getMorph( gl_VertexID, i, 2 ).rgb * morphTargetInfluences[ i ];
		#endif
	}
#endif`,Fy=`#ifdef USE_MORPHNORMALS
	objectNormal *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) objectNormal += getMorph( gl_VertexID, i, 1 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,Oy=`#ifdef USE_MORPHTARGETS
	#ifndef USE_INSTANCING_MORPH
		uniform float morphTargetBaseInfluence;
		uniform float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	#endif
	uniform sampler2DArray morphTargetsTexture;
	uniform ivec2 morphTargetsTextureSize;
	vec4 getMorph( const in int vertexIndex, const in int morphTargetIndex, const in int offset ) {
		int texelIndex = vertexIndex * MORPHTARGETS_TEXTURE_STRIDE + offset;
		int y = texelIndex / morphTargetsTextureSize.x;
		int x = texelIndex - y * morphTargetsTextureSize.x;
		ivec3 morphUV = ivec3( x, y, morphTargetIndex );
		return texelFetch( morphTargetsTexture, morphUV, 0 );
	}
#endif`,By=`#ifdef USE_MORPHTARGETS
	transformed *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) transformed += getMorph( gl_VertexID, i, 0 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,ky=`float faceDirection = gl_FrontFacing ? 1.0 : - 1.0;
#ifdef FLAT_SHADED
	vec3 fdx = dFdx( vViewPosition );
	vec3 fdy = dFdy( vViewPosition );
	vec3 normal = normalize( cross( fdx, fdy ) );
#else
	vec3 normal = normalize( vNormal );
	#ifdef DOUBLE_SIDED
		normal *= faceDirection;
	#endif
#endif
#if defined( USE_NORMALMAP_TANGENTSPACE ) || defined( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY )
	#ifdef USE_TANGENT
		mat3 tbn = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn = getTangentFrame( - vViewPosition, normal,
		#if defined( USE_NORMALMAP )
			vNormalMapUv
		#elif defined( USE_CLEARCOAT_NORMALMAP )
			vClearcoatNormalMapUv
		#else
			vUv
		#endif
		);
	#endif
	#ifdef DOUBLE_SIDED
		tbn[0] *= faceDirection;
		tbn[1] *= faceDirection;
	#endif
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	#ifdef USE_TANGENT
		mat3 tbn2 = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn2 = getTangentFrame( - vViewPosition, normal, vClearcoatNormalMapUv );
	#endif
	#ifdef DOUBLE_SIDED
		tbn2[0] *= faceDirection;
		tbn2[1] *= faceDirection;
	#endif
#endif
vec3 nonPerturbedNormal = normal;`,zy=`#ifdef USE_NORMALMAP_OBJECTSPACE
	normal = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#ifdef FLIP_SIDED
		normal = - normal;
	#endif
	#ifdef DOUBLE_SIDED
		normal = normal * faceDirection;
	#endif
	normal = normalize( normalMatrix * normal );
#elif defined( USE_NORMALMAP_TANGENTSPACE )
	vec3 mapN = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#if defined( USE_PACKED_NORMALMAP )
		mapN = vec3( mapN.xy, sqrt( saturate( 1.0 - dot( mapN.xy, mapN.xy ) ) ) );
	#endif
	mapN.xy *= normalScale;
	normal = normalize( tbn * mapN );
#elif defined( USE_BUMPMAP )
	normal = perturbNormalArb( - vViewPosition, normal, dHdxy_fwd(), faceDirection );
#endif`,Vy=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,Gy=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,Hy=`#ifndef FLAT_SHADED
	vNormal = normalize( transformedNormal );
	#ifdef USE_TANGENT
		vTangent = normalize( transformedTangent );
		vBitangent = normalize( cross( vNormal, vTangent ) * tangent.w );
		#ifdef FLIP_SIDED
			vBitangent = - vBitangent;
		#endif
	#endif
#endif`,Wy=`#ifdef USE_NORMALMAP
	uniform sampler2D normalMap;
	uniform vec2 normalScale;
#endif
#ifdef USE_NORMALMAP_OBJECTSPACE
	uniform mat3 normalMatrix;
#endif
#if ! defined ( USE_TANGENT ) && ( defined ( USE_NORMALMAP_TANGENTSPACE ) || defined ( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY ) )
	mat3 getTangentFrame( vec3 eye_pos, vec3 surf_norm, vec2 uv ) {
		vec3 q0 = dFdx( eye_pos.xyz );
		vec3 q1 = dFdy( eye_pos.xyz );
		vec2 st0 = dFdx( uv.st );
		vec2 st1 = dFdy( uv.st );
		vec3 N = surf_norm;
		vec3 q1perp = cross( q1, N );
		vec3 q0perp = cross( N, q0 );
		vec3 T = q1perp * st0.x + q0perp * st1.x;
		vec3 B = q1perp * st0.y + q0perp * st1.y;
		float det = max( dot( T, T ), dot( B, B ) );
		float scale = ( det == 0.0 ) ? 0.0 : inversesqrt( det );
		return mat3( T * scale, B * scale, N );
	}
#endif`,Xy=`#ifdef USE_CLEARCOAT
	vec3 clearcoatNormal = nonPerturbedNormal;
#endif`,qy=`#ifdef USE_CLEARCOAT_NORMALMAP
	vec3 clearcoatMapN = texture2D( clearcoatNormalMap, vClearcoatNormalMapUv ).xyz * 2.0 - 1.0;
	clearcoatMapN.xy *= clearcoatNormalScale;
	clearcoatNormal = normalize( tbn2 * clearcoatMapN );
#endif`,Yy=`#ifdef USE_CLEARCOATMAP
	uniform sampler2D clearcoatMap;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform sampler2D clearcoatNormalMap;
	uniform vec2 clearcoatNormalScale;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform sampler2D clearcoatRoughnessMap;
#endif`,$y=`#ifdef USE_IRIDESCENCEMAP
	uniform sampler2D iridescenceMap;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform sampler2D iridescenceThicknessMap;
#endif`,Zy=`#ifdef OPAQUE
diffuseColor.a = 1.0;
#endif
#ifdef USE_TRANSMISSION
diffuseColor.a *= material.transmissionAlpha;
#endif
gl_FragColor = vec4( outgoingLight, diffuseColor.a );`,Jy=`vec3 packNormalToRGB( const in vec3 normal ) {
	return normalize( normal ) * 0.5 + 0.5;
}
vec3 unpackRGBToNormal( const in vec3 rgb ) {
	return 2.0 * rgb.xyz - 1.0;
}
const float PackUpscale = 256. / 255.;const float UnpackDownscale = 255. / 256.;const float ShiftRight8 = 1. / 256.;
const float Inv255 = 1. / 255.;
const vec4 PackFactors = vec4( 1.0, 256.0, 256.0 * 256.0, 256.0 * 256.0 * 256.0 );
const vec2 UnpackFactors2 = vec2( UnpackDownscale, 1.0 / PackFactors.g );
const vec3 UnpackFactors3 = vec3( UnpackDownscale / PackFactors.rg, 1.0 / PackFactors.b );
const vec4 UnpackFactors4 = vec4( UnpackDownscale / PackFactors.rgb, 1.0 / PackFactors.a );
vec4 packDepthToRGBA( const in float v ) {
	if( v <= 0.0 )
		return vec4( 0., 0., 0., 0. );
	if( v >= 1.0 )
		return vec4( 1., 1., 1., 1. );
	float vuf;
	float af = modf( v * PackFactors.a, vuf );
	float bf = modf( vuf * ShiftRight8, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec4( vuf * Inv255, gf * PackUpscale, bf * PackUpscale, af );
}
vec3 packDepthToRGB( const in float v ) {
	if( v <= 0.0 )
		return vec3( 0., 0., 0. );
	if( v >= 1.0 )
		return vec3( 1., 1., 1. );
	float vuf;
	float bf = modf( v * PackFactors.b, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec3( vuf * Inv255, gf * PackUpscale, bf );
}
vec2 packDepthToRG( const in float v ) {
	if( v <= 0.0 )
		return vec2( 0., 0. );
	if( v >= 1.0 )
		return vec2( 1., 1. );
	float vuf;
	float gf = modf( v * 256., vuf );
	return vec2( vuf * Inv255, gf );
}
float unpackRGBAToDepth( const in vec4 v ) {
	return dot( v, UnpackFactors4 );
}
float unpackRGBToDepth( const in vec3 v ) {
	return dot( v, UnpackFactors3 );
}
float unpackRGToDepth( const in vec2 v ) {
	return v.r * UnpackFactors2.r + v.g * UnpackFactors2.g;
}
vec4 pack2HalfToRGBA( const in vec2 v ) {
	vec4 r = vec4( v.x, fract( v.x * 255.0 ), v.y, fract( v.y * 255.0 ) );
	return vec4( r.x - r.y / 255.0, r.y, r.z - r.w / 255.0, r.w );
}
vec2 unpackRGBATo2Half( const in vec4 v ) {
	return vec2( v.x + ( v.y / 255.0 ), v.z + ( v.w / 255.0 ) );
}
float viewZToOrthographicDepth( const in float viewZ, const in float near, const in float far ) {
	return ( viewZ + near ) / ( near - far );
}
float orthographicDepthToViewZ( const in float depth, const in float near, const in float far ) {
	#ifdef USE_REVERSED_DEPTH_BUFFER
	
		return depth * ( far - near ) - far;
	#else
		return depth * ( near - far ) - near;
	#endif
}
float viewZToPerspectiveDepth( const in float viewZ, const in float near, const in float far ) {
	return ( ( near + viewZ ) * far ) / ( ( far - near ) * viewZ );
}
float perspectiveDepthToViewZ( const in float depth, const in float near, const in float far ) {
	
	#ifdef USE_REVERSED_DEPTH_BUFFER
		return ( near * far ) / ( ( near - far ) * depth - near );
	#else
		return ( near * far ) / ( ( far - near ) * depth - far );
	#endif
}`,Ky=`#ifdef PREMULTIPLIED_ALPHA
	gl_FragColor.rgb *= gl_FragColor.a;
#endif`,jy=`vec4 mvPosition = vec4( transformed, 1.0 );
#ifdef USE_BATCHING
	mvPosition = batchingMatrix * mvPosition;
#endif
#ifdef USE_INSTANCING
	mvPosition = instanceMatrix * mvPosition;
#endif
mvPosition = modelViewMatrix * mvPosition;
gl_Position = projectionMatrix * mvPosition;`,Qy=`#ifdef DITHERING
	gl_FragColor.rgb = dithering( gl_FragColor.rgb );
#endif`,tb=`#ifdef DITHERING
	vec3 dithering( vec3 color ) {
		float grid_position = rand( gl_FragCoord.xy );
		vec3 dither_shift_RGB = vec3( 0.25 / 255.0, -0.25 / 255.0, 0.25 / 255.0 );
		dither_shift_RGB = mix( 2.0 * dither_shift_RGB, -2.0 * dither_shift_RGB, grid_position );
		return color + dither_shift_RGB;
	}
#endif`,eb=`float roughnessFactor = roughness;
#ifdef USE_ROUGHNESSMAP
	vec4 texelRoughness = texture2D( roughnessMap, vRoughnessMapUv );
	roughnessFactor *= texelRoughness.g;
#endif`,nb=`#ifdef USE_ROUGHNESSMAP
	uniform sampler2D roughnessMap;
#endif`,ib=`#if NUM_SPOT_LIGHT_COORDS > 0
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#if NUM_SPOT_LIGHT_MAPS > 0
	uniform sampler2D spotLightMap[ NUM_SPOT_LIGHT_MAPS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		#define SUN_LIGHT_CASCADES 2
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#else
			uniform sampler2D sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#endif
		uniform mat4 sunShadowMatrix[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		uniform vec4 sunShadowCascade[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
		struct SunLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SunLightShadow sunLightShadows[ NUM_SUN_LIGHT_SHADOWS ];
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#else
			uniform sampler2D directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#endif
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#else
			uniform sampler2D spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#endif
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform samplerCubeShadow pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#elif defined( SHADOWMAP_TYPE_BASIC )
			uniform samplerCube pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#endif
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float interleavedGradientNoise( vec2 position ) {
			return fract( 52.9829189 * fract( dot( position, vec2( 0.06711056, 0.00583715 ) ) ) );
		}
		vec2 vogelDiskSample( int sampleIndex, int samplesCount, float phi ) {
			const float goldenAngle = 2.399963229728653;
			float r = sqrt( ( float( sampleIndex ) + 0.5 ) / float( samplesCount ) );
			float theta = float( sampleIndex ) * goldenAngle + phi;
			return vec2( cos( theta ), sin( theta ) ) * r;
		}
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float getShadow( sampler2DShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 texelSize = vec2( 1.0 ) / shadowMapSize;
				vec2 radius = shadowRadius * texelSize;
				float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
				shadow = (
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 0, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 1, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 2, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 3, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 4, 5, phi ) * radius, shadowCoord.z ) )
				) * 0.2;
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#elif defined( SHADOWMAP_TYPE_VSM )
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 distribution = texture2D( shadowMap, shadowCoord.xy ).rg;
				float mean = distribution.x;
				float variance = distribution.y * distribution.y;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					float hard_shadow = step( mean, shadowCoord.z );
				#else
					float hard_shadow = step( shadowCoord.z, mean );
				#endif
				
				if ( hard_shadow == 1.0 ) {
					shadow = 1.0;
				} else {
					variance = max( variance, 0.0000001 );
					float d = shadowCoord.z - mean;
					float p_max = variance / ( variance + d * d );
					p_max = clamp( ( p_max - 0.3 ) / 0.65, 0.0, 1.0 );
					shadow = max( hard_shadow, p_max );
				}
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#else
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				float depth = texture2D( shadowMap, shadowCoord.xy ).r;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					shadow = step( depth, shadowCoord.z );
				#else
					shadow = step( shadowCoord.z, depth );
				#endif
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#endif
	#if NUM_SUN_LIGHT_SHADOWS > 0
		float getSunShadow(
			#if defined( SHADOWMAP_TYPE_PCF )
				sampler2DShadow shadowMap,
			#else
				sampler2D shadowMap,
			#endif
			SunLightShadow sunLightShadow,
			int shadowIndex
		) {
			vec4 shadowWorldPosition = vec4( vSunShadowWorldPosition.xyz + vSunShadowWorldNormal * sunLightShadow.shadowNormalBias, 1.0 );
			float viewDepth = vSunShadowWorldPosition.w;
			int cascadeOffset = shadowIndex * SUN_LIGHT_CASCADES;
			float shadow = 1.0;
			for ( int i = SUN_LIGHT_CASCADES - 1; i >= 0; i -- ) {
				vec4 cascade = sunShadowCascade[ cascadeOffset + i ];
				if ( viewDepth >= cascade.x && viewDepth < cascade.y ) {
					float cascadeShadow = getShadow(
						shadowMap,
						sunLightShadow.shadowMapSize,
						sunLightShadow.shadowIntensity,
						sunLightShadow.shadowBias,
						sunLightShadow.shadowRadius,
						sunShadowMatrix[ cascadeOffset + i ] * shadowWorldPosition
					);
					shadow = mix( cascadeShadow, shadow, smoothstep( cascade.z, cascade.y, viewDepth ) );
				}
			}
			return shadow;
		}
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
	#if defined( SHADOWMAP_TYPE_PCF )
	float getPointShadow( samplerCubeShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 bd3D = normalize( lightToPosition );
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float lightDistance = length( lightToPosition );
			float depthRange = shadowCameraFar - shadowCameraNear;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				float depthA = - shadowCameraNear / depthRange - shadowBias;
				float depthB = shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#else
				float depthA = shadowCameraFar / depthRange + shadowBias;
				float depthB = - shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#endif
			float texelSize = shadowRadius / shadowMapSize.x;
			vec3 absDir = abs( bd3D );
			vec3 tangent = absDir.x > absDir.z ? vec3( 0.0, 1.0, 0.0 ) : vec3( 1.0, 0.0, 0.0 );
			tangent = normalize( cross( bd3D, tangent ) );
			vec3 bitangent = cross( bd3D, tangent );
			float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
			shadow = 0.0;
			for ( int i = 0; i < 5; i ++ ) {
				vec2 offset = vogelDiskSample( i, 5, phi );
				vec3 direction = bd3D + ( tangent * offset.x + bitangent * offset.y ) * texelSize;
				vec3 absDirection = abs( direction );
				float dp = depthA + depthB / max( max( absDirection.x, absDirection.y ), absDirection.z );
				shadow += texture( shadowMap, vec4( direction, dp ) );
			}
			shadow *= 0.2;
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#elif defined( SHADOWMAP_TYPE_BASIC )
	float getPointShadow( samplerCube shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float dp = ( shadowCameraFar * ( viewSpaceZ - shadowCameraNear ) ) / ( viewSpaceZ * ( shadowCameraFar - shadowCameraNear ) );
			dp += shadowBias;
			vec3 bd3D = normalize( lightToPosition );
			float depth = textureCube( shadowMap, bd3D ).r;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				depth = 1.0 - depth;
			#endif
			shadow = step( dp, depth );
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#endif
	#endif
#endif`,sb=`#if NUM_SPOT_LIGHT_COORDS > 0
	uniform mat4 spotLightMatrix[ NUM_SPOT_LIGHT_COORDS ];
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		uniform mat4 directionalShadowMatrix[ NUM_DIR_LIGHT_SHADOWS ];
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		uniform mat4 pointShadowMatrix[ NUM_POINT_LIGHT_SHADOWS ];
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
#endif`,rb=`#if ( defined( USE_SHADOWMAP ) && ( NUM_DIR_LIGHT_SHADOWS > 0 || NUM_SUN_LIGHT_SHADOWS > 0 || NUM_POINT_LIGHT_SHADOWS > 0 ) ) || ( NUM_SPOT_LIGHT_COORDS > 0 )
	#ifdef HAS_NORMAL
		vec3 shadowWorldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
	#else
		vec3 shadowWorldNormal = vec3( 0.0 );
	#endif
	vec4 shadowWorldPosition;
#endif
#if defined( USE_SHADOWMAP )
	#if NUM_SUN_LIGHT_SHADOWS > 0
		vSunShadowWorldPosition = vec4( worldPosition.xyz, - mvPosition.z );
		vSunShadowWorldNormal = shadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * directionalLightShadows[ i ].shadowNormalBias, 0 );
			vDirectionalShadowCoord[ i ] = directionalShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * pointLightShadows[ i ].shadowNormalBias, 0 );
			vPointShadowCoord[ i ] = pointShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
#endif
#if NUM_SPOT_LIGHT_COORDS > 0
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_COORDS; i ++ ) {
		shadowWorldPosition = worldPosition;
		#if ( defined( USE_SHADOWMAP ) && UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
			shadowWorldPosition.xyz += shadowWorldNormal * spotLightShadows[ i ].shadowNormalBias;
		#endif
		vSpotLightCoord[ i ] = spotLightMatrix[ i ] * shadowWorldPosition;
	}
	#pragma unroll_loop_end
#endif`,ob=`float getShadowMask() {
	float shadow = 1.0;
	#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHT_SHADOWS; i ++ ) {
		sunLight = sunLightShadows[ i ];
		shadow *= receiveShadow ? getSunShadow( sunShadowMap[ i ], sunLight, UNROLLED_LOOP_INDEX ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
		directionalLight = directionalLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( directionalShadowMap[ i ], directionalLight.shadowMapSize, directionalLight.shadowIntensity, directionalLight.shadowBias, directionalLight.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_SHADOWS; i ++ ) {
		spotLight = spotLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( spotShadowMap[ i ], spotLight.shadowMapSize, spotLight.shadowIntensity, spotLight.shadowBias, spotLight.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0 && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
	PointLightShadow pointLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
		pointLight = pointLightShadows[ i ];
		shadow *= receiveShadow ? getPointShadow( pointShadowMap[ i ], pointLight.shadowMapSize, pointLight.shadowIntensity, pointLight.shadowBias, pointLight.shadowRadius, vPointShadowCoord[ i ], pointLight.shadowCameraNear, pointLight.shadowCameraFar ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#endif
	return shadow;
}`,ab=`#ifdef USE_SKINNING
	mat4 boneMatX = getBoneMatrix( skinIndex.x );
	mat4 boneMatY = getBoneMatrix( skinIndex.y );
	mat4 boneMatZ = getBoneMatrix( skinIndex.z );
	mat4 boneMatW = getBoneMatrix( skinIndex.w );
#endif`,lb=`#ifdef USE_SKINNING
	uniform mat4 bindMatrix;
	uniform mat4 bindMatrixInverse;
	uniform highp sampler2D boneTexture;
	mat4 getBoneMatrix( const in float i ) {
		int size = textureSize( boneTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( boneTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( boneTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( boneTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( boneTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
#endif`,cb=`#ifdef USE_SKINNING
	vec4 skinVertex = bindMatrix * vec4( transformed, 1.0 );
	vec4 skinned = vec4( 0.0 );
	skinned += boneMatX * skinVertex * skinWeight.x;
	skinned += boneMatY * skinVertex * skinWeight.y;
	skinned += boneMatZ * skinVertex * skinWeight.z;
	skinned += boneMatW * skinVertex * skinWeight.w;
	transformed = ( bindMatrixInverse * skinned ).xyz;
#endif`,hb=`#ifdef USE_SKINNING
	mat4 skinMatrix = mat4( 0.0 );
	skinMatrix += skinWeight.x * boneMatX;
	skinMatrix += skinWeight.y * boneMatY;
	skinMatrix += skinWeight.z * boneMatZ;
	skinMatrix += skinWeight.w * boneMatW;
	skinMatrix = bindMatrixInverse * skinMatrix * bindMatrix;
	objectNormal = vec4( skinMatrix * vec4( objectNormal, 0.0 ) ).xyz;
	#ifdef USE_TANGENT
		objectTangent = vec4( skinMatrix * vec4( objectTangent, 0.0 ) ).xyz;
	#endif
#endif`,ub=`float specularStrength;
#ifdef USE_SPECULARMAP
	vec4 texelSpecular = texture2D( specularMap, vSpecularMapUv );
	specularStrength = texelSpecular.r;
#else
	specularStrength = 1.0;
#endif`,db=`#ifdef USE_SPECULARMAP
	uniform sampler2D specularMap;
#endif`,fb=`#if defined( TONE_MAPPING )
	gl_FragColor.rgb = toneMapping( gl_FragColor.rgb );
#endif`,pb=`#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
uniform float toneMappingExposure;
vec3 LinearToneMapping( vec3 color ) {
	return saturate( toneMappingExposure * color );
}
vec3 ReinhardToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	return saturate( color / ( vec3( 1.0 ) + color ) );
}
vec3 CineonToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	color = max( vec3( 0.0 ), color - 0.004 );
	return pow( ( color * ( 6.2 * color + 0.5 ) ) / ( color * ( 6.2 * color + 1.7 ) + 0.06 ), vec3( 2.2 ) );
}
vec3 RRTAndODTFit( vec3 v ) {
	vec3 a = v * ( v + 0.0245786 ) - 0.000090537;
	vec3 b = v * ( 0.983729 * v + 0.4329510 ) + 0.238081;
	return a / b;
}
vec3 ACESFilmicToneMapping( vec3 color ) {
	const mat3 ACESInputMat = mat3(
		vec3( 0.59719, 0.07600, 0.02840 ),		vec3( 0.35458, 0.90834, 0.13383 ),
		vec3( 0.04823, 0.01566, 0.83777 )
	);
	const mat3 ACESOutputMat = mat3(
		vec3(  1.60475, -0.10208, -0.00327 ),		vec3( -0.53108,  1.10813, -0.07276 ),
		vec3( -0.07367, -0.00605,  1.07602 )
	);
	color *= toneMappingExposure / 0.6;
	color = ACESInputMat * color;
	color = RRTAndODTFit( color );
	color = ACESOutputMat * color;
	return saturate( color );
}
const mat3 LINEAR_REC2020_TO_LINEAR_SRGB = mat3(
	vec3( 1.6605, - 0.1246, - 0.0182 ),
	vec3( - 0.5876, 1.1329, - 0.1006 ),
	vec3( - 0.0728, - 0.0083, 1.1187 )
);
const mat3 LINEAR_SRGB_TO_LINEAR_REC2020 = mat3(
	vec3( 0.6274, 0.0691, 0.0164 ),
	vec3( 0.3293, 0.9195, 0.0880 ),
	vec3( 0.0433, 0.0113, 0.8956 )
);
vec3 agxDefaultContrastApprox( vec3 x ) {
	vec3 x2 = x * x;
	vec3 x4 = x2 * x2;
	return + 15.5 * x4 * x2
		- 40.14 * x4 * x
		+ 31.96 * x4
		- 6.868 * x2 * x
		+ 0.4298 * x2
		+ 0.1191 * x
		- 0.00232;
}
vec3 AgXToneMapping( vec3 color ) {
	const mat3 AgXInsetMatrix = mat3(
		vec3( 0.856627153315983, 0.137318972929847, 0.11189821299995 ),
		vec3( 0.0951212405381588, 0.761241990602591, 0.0767994186031903 ),
		vec3( 0.0482516061458583, 0.101439036467562, 0.811302368396859 )
	);
	const mat3 AgXOutsetMatrix = mat3(
		vec3( 1.1271005818144368, - 0.1413297634984383, - 0.14132976349843826 ),
		vec3( - 0.11060664309660323, 1.157823702216272, - 0.11060664309660294 ),
		vec3( - 0.016493938717834573, - 0.016493938717834257, 1.2519364065950405 )
	);
	const float AgxMinEv = - 12.47393;	const float AgxMaxEv = 4.026069;
	color *= toneMappingExposure;
	color = LINEAR_SRGB_TO_LINEAR_REC2020 * color;
	color = AgXInsetMatrix * color;
	color = max( color, 1e-10 );	color = log2( color );
	color = ( color - AgxMinEv ) / ( AgxMaxEv - AgxMinEv );
	color = clamp( color, 0.0, 1.0 );
	color = agxDefaultContrastApprox( color );
	color = AgXOutsetMatrix * color;
	color = pow( max( vec3( 0.0 ), color ), vec3( 2.2 ) );
	color = LINEAR_REC2020_TO_LINEAR_SRGB * color;
	color = clamp( color, 0.0, 1.0 );
	return color;
}
vec3 NeutralToneMapping( vec3 color ) {
	const float StartCompression = 0.8 - 0.04;
	const float Desaturation = 0.15;
	color *= toneMappingExposure;
	float x = min( color.r, min( color.g, color.b ) );
	float offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
	color -= offset;
	float peak = max( color.r, max( color.g, color.b ) );
	if ( peak < StartCompression ) return color;
	float d = 1. - StartCompression;
	float newPeak = 1. - d * d / ( peak + d - StartCompression );
	color *= newPeak / peak;
	float g = 1. - 1. / ( Desaturation * ( peak - newPeak ) + 1. );
	return mix( color, vec3( newPeak ), g );
}
vec3 CustomToneMapping( vec3 color ) { return color; }`,mb=`#ifdef USE_TRANSMISSION
	material.transmission = transmission;
	material.transmissionAlpha = 1.0;
	material.thickness = thickness;
	material.attenuationDistance = attenuationDistance;
	material.attenuationColor = attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		material.transmission *= texture2D( transmissionMap, vTransmissionMapUv ).r;
	#endif
	#ifdef USE_THICKNESSMAP
		material.thickness *= texture2D( thicknessMap, vThicknessMapUv ).g;
	#endif
	vec3 pos = vWorldPosition;
	vec3 v = normalize( cameraPosition - pos );
	vec3 n = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec4 transmitted = getIBLVolumeRefraction(
		n, v, material.roughness, material.diffuseContribution, material.specularColorBlended, material.specularF90,
		pos, modelMatrix, viewMatrix, projectionMatrix, material.dispersion, material.ior, material.thickness,
		material.attenuationColor, material.attenuationDistance );
	material.transmissionAlpha = mix( material.transmissionAlpha, transmitted.a, material.transmission );
	totalDiffuse = mix( totalDiffuse, transmitted.rgb, material.transmission );
#endif`,gb=`#ifdef USE_TRANSMISSION
	uniform float transmission;
	uniform float thickness;
	uniform float attenuationDistance;
	uniform vec3 attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		uniform sampler2D transmissionMap;
	#endif
	#ifdef USE_THICKNESSMAP
		uniform sampler2D thicknessMap;
	#endif
	uniform vec2 transmissionSamplerSize;
	uniform sampler2D transmissionSamplerMap;
	uniform mat4 modelMatrix;
	uniform mat4 projectionMatrix;
	varying vec3 vWorldPosition;
	float w0( float a ) {
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - a + 3.0 ) - 3.0 ) + 1.0 );
	}
	float w1( float a ) {
		return ( 1.0 / 6.0 ) * ( a *  a * ( 3.0 * a - 6.0 ) + 4.0 );
	}
	float w2( float a ){
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - 3.0 * a + 3.0 ) + 3.0 ) + 1.0 );
	}
	float w3( float a ) {
		return ( 1.0 / 6.0 ) * ( a * a * a );
	}
	float g0( float a ) {
		return w0( a ) + w1( a );
	}
	float g1( float a ) {
		return w2( a ) + w3( a );
	}
	float h0( float a ) {
		return - 1.0 + w1( a ) / ( w0( a ) + w1( a ) );
	}
	float h1( float a ) {
		return 1.0 + w3( a ) / ( w2( a ) + w3( a ) );
	}
	vec4 bicubic( sampler2D tex, vec2 uv, vec4 texelSize, float lod ) {
		uv = uv * texelSize.zw + 0.5;
		vec2 iuv = floor( uv );
		vec2 fuv = fract( uv );
		float g0x = g0( fuv.x );
		float g1x = g1( fuv.x );
		float h0x = h0( fuv.x );
		float h1x = h1( fuv.x );
		float h0y = h0( fuv.y );
		float h1y = h1( fuv.y );
		vec2 p0 = ( vec2( iuv.x + h0x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p1 = ( vec2( iuv.x + h1x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p2 = ( vec2( iuv.x + h0x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		vec2 p3 = ( vec2( iuv.x + h1x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		return g0( fuv.y ) * ( g0x * textureLod( tex, p0, lod ) + g1x * textureLod( tex, p1, lod ) ) +
			g1( fuv.y ) * ( g0x * textureLod( tex, p2, lod ) + g1x * textureLod( tex, p3, lod ) );
	}
	vec4 textureBicubic( sampler2D sampler, vec2 uv, float lod ) {
		vec2 fLodSize = vec2( textureSize( sampler, int( lod ) ) );
		vec2 cLodSize = vec2( textureSize( sampler, int( lod + 1.0 ) ) );
		vec2 fLodSizeInv = 1.0 / fLodSize;
		vec2 cLodSizeInv = 1.0 / cLodSize;
		vec4 fSample = bicubic( sampler, uv, vec4( fLodSizeInv, fLodSize ), floor( lod ) );
		vec4 cSample = bicubic( sampler, uv, vec4( cLodSizeInv, cLodSize ), ceil( lod ) );
		return mix( fSample, cSample, fract( lod ) );
	}
	vec3 getVolumeTransmissionRay( const in vec3 n, const in vec3 v, const in float thickness, const in float ior, const in mat4 modelMatrix ) {
		vec3 refractionVector = refract( - v, normalize( n ), 1.0 / ior );
		vec3 modelScale;
		modelScale.x = length( vec3( modelMatrix[ 0 ].xyz ) );
		modelScale.y = length( vec3( modelMatrix[ 1 ].xyz ) );
		modelScale.z = length( vec3( modelMatrix[ 2 ].xyz ) );
		return normalize( refractionVector ) * thickness * modelScale;
	}
	float applyIorToRoughness( const in float roughness, const in float ior ) {
		return roughness * clamp( ior * 2.0 - 2.0, 0.0, 1.0 );
	}
	vec4 getTransmissionSample( const in vec2 fragCoord, const in float roughness, const in float ior ) {
		float lod = log2( transmissionSamplerSize.x ) * applyIorToRoughness( roughness, ior );
		return textureBicubic( transmissionSamplerMap, fragCoord.xy, lod );
	}
	vec3 volumeAttenuation( const in float transmissionDistance, const in vec3 attenuationColor, const in float attenuationDistance ) {
		if ( isinf( attenuationDistance ) ) {
			return vec3( 1.0 );
		} else {
			vec3 attenuationCoefficient = -log( attenuationColor ) / attenuationDistance;
			vec3 transmittance = exp( - attenuationCoefficient * transmissionDistance );			return transmittance;
		}
	}
	vec4 getIBLVolumeRefraction( const in vec3 n, const in vec3 v, const in float roughness, const in vec3 diffuseColor,
		const in vec3 specularColor, const in float specularF90, const in vec3 position, const in mat4 modelMatrix,
		const in mat4 viewMatrix, const in mat4 projMatrix, const in float dispersion, const in float ior, const in float thickness,
		const in vec3 attenuationColor, const in float attenuationDistance ) {
		vec4 transmittedLight;
		vec3 transmittance;
		#ifdef USE_DISPERSION
			float halfSpread = ( ior - 1.0 ) * 0.025 * dispersion;
			vec3 iors = vec3( ior - halfSpread, ior, ior + halfSpread );
			for ( int i = 0; i < 3; i ++ ) {
				vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, iors[ i ], modelMatrix );
				vec3 refractedRayExit = position + transmissionRay;
				vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
				vec2 refractionCoords = ndcPos.xy / ndcPos.w;
				refractionCoords += 1.0;
				refractionCoords /= 2.0;
				vec4 transmissionSample = getTransmissionSample( refractionCoords, roughness, iors[ i ] );
				transmittedLight[ i ] = transmissionSample[ i ];
				transmittedLight.a += transmissionSample.a;
				transmittance[ i ] = diffuseColor[ i ] * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance )[ i ];
			}
			transmittedLight.a /= 3.0;
		#else
			vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, ior, modelMatrix );
			vec3 refractedRayExit = position + transmissionRay;
			vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
			vec2 refractionCoords = ndcPos.xy / ndcPos.w;
			refractionCoords += 1.0;
			refractionCoords /= 2.0;
			transmittedLight = getTransmissionSample( refractionCoords, roughness, ior );
			transmittance = diffuseColor * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance );
		#endif
		vec3 attenuatedColor = transmittance * transmittedLight.rgb;
		vec3 F = EnvironmentBRDF( n, v, specularColor, specularF90, roughness );
		float transmittanceFactor = ( transmittance.r + transmittance.g + transmittance.b ) / 3.0;
		return vec4( ( 1.0 - F ) * attenuatedColor, 1.0 - ( 1.0 - transmittedLight.a ) * transmittanceFactor );
	}
#endif`,_b=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_SPECULARMAP
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,xb=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	uniform mat3 mapTransform;
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	uniform mat3 alphaMapTransform;
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	uniform mat3 lightMapTransform;
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	uniform mat3 aoMapTransform;
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	uniform mat3 bumpMapTransform;
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	uniform mat3 normalMapTransform;
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_DISPLACEMENTMAP
	uniform mat3 displacementMapTransform;
	varying vec2 vDisplacementMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	uniform mat3 emissiveMapTransform;
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	uniform mat3 metalnessMapTransform;
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	uniform mat3 roughnessMapTransform;
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	uniform mat3 diffuseRoughnessMapTransform;
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	uniform mat3 anisotropyMapTransform;
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	uniform mat3 clearcoatMapTransform;
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform mat3 clearcoatNormalMapTransform;
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform mat3 clearcoatRoughnessMapTransform;
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	uniform mat3 sheenColorMapTransform;
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	uniform mat3 sheenRoughnessMapTransform;
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	uniform mat3 iridescenceMapTransform;
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform mat3 iridescenceThicknessMapTransform;
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SPECULARMAP
	uniform mat3 specularMapTransform;
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	uniform mat3 specularColorMapTransform;
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	uniform mat3 specularIntensityMapTransform;
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,vb=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	vUv = vec3( uv, 1 ).xy;
#endif
#ifdef USE_MAP
	vMapUv = ( mapTransform * vec3( MAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ALPHAMAP
	vAlphaMapUv = ( alphaMapTransform * vec3( ALPHAMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_LIGHTMAP
	vLightMapUv = ( lightMapTransform * vec3( LIGHTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_AOMAP
	vAoMapUv = ( aoMapTransform * vec3( AOMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_BUMPMAP
	vBumpMapUv = ( bumpMapTransform * vec3( BUMPMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_NORMALMAP
	vNormalMapUv = ( normalMapTransform * vec3( NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DISPLACEMENTMAP
	vDisplacementMapUv = ( displacementMapTransform * vec3( DISPLACEMENTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_EMISSIVEMAP
	vEmissiveMapUv = ( emissiveMapTransform * vec3( EMISSIVEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_METALNESSMAP
	vMetalnessMapUv = ( metalnessMapTransform * vec3( METALNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ROUGHNESSMAP
	vRoughnessMapUv = ( roughnessMapTransform * vec3( ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	vDiffuseRoughnessMapUv = ( diffuseRoughnessMapTransform * vec3( DIFFUSE_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ANISOTROPYMAP
	vAnisotropyMapUv = ( anisotropyMapTransform * vec3( ANISOTROPYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOATMAP
	vClearcoatMapUv = ( clearcoatMapTransform * vec3( CLEARCOATMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	vClearcoatNormalMapUv = ( clearcoatNormalMapTransform * vec3( CLEARCOAT_NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	vClearcoatRoughnessMapUv = ( clearcoatRoughnessMapTransform * vec3( CLEARCOAT_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCEMAP
	vIridescenceMapUv = ( iridescenceMapTransform * vec3( IRIDESCENCEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	vIridescenceThicknessMapUv = ( iridescenceThicknessMapTransform * vec3( IRIDESCENCE_THICKNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_COLORMAP
	vSheenColorMapUv = ( sheenColorMapTransform * vec3( SHEEN_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	vSheenRoughnessMapUv = ( sheenRoughnessMapTransform * vec3( SHEEN_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULARMAP
	vSpecularMapUv = ( specularMapTransform * vec3( SPECULARMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_COLORMAP
	vSpecularColorMapUv = ( specularColorMapTransform * vec3( SPECULAR_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	vSpecularIntensityMapUv = ( specularIntensityMapTransform * vec3( SPECULAR_INTENSITYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_TRANSMISSIONMAP
	vTransmissionMapUv = ( transmissionMapTransform * vec3( TRANSMISSIONMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_THICKNESSMAP
	vThicknessMapUv = ( thicknessMapTransform * vec3( THICKNESSMAP_UV, 1 ) ).xy;
#endif`,yb=`#if defined( USE_ENVMAP ) || defined( DISTANCE ) || defined ( USE_SHADOWMAP ) || defined ( USE_TRANSMISSION ) || NUM_SPOT_LIGHT_COORDS > 0
	vec4 worldPosition = vec4( transformed, 1.0 );
	#ifdef USE_BATCHING
		worldPosition = batchingMatrix * worldPosition;
	#endif
	#ifdef USE_INSTANCING
		worldPosition = instanceMatrix * worldPosition;
	#endif
	worldPosition = modelMatrix * worldPosition;
#endif`,bb=`varying vec2 vUv;
uniform mat3 uvTransform;
void main() {
	vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	gl_Position = vec4( position.xy, 1.0, 1.0 );
}`,Sb=`uniform sampler2D t2D;
uniform float backgroundIntensity;
varying vec2 vUv;
void main() {
	vec4 texColor = texture2D( t2D, vUv );
	#ifdef DECODE_VIDEO_TEXTURE
		texColor = vec4( mix( pow( texColor.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), texColor.rgb * 0.0773993808, vec3( lessThanEqual( texColor.rgb, vec3( 0.04045 ) ) ) ), texColor.w );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,Mb=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,wb=`uniform float backgroundBlurriness;
uniform float backgroundIntensity;
uniform mat3 backgroundRotation;
varying vec3 vWorldDirection;
#include <envmap_common_pars_fragment>
void main() {
	#ifdef ENVMAP_TYPE_PMREM
		vec4 texColor = textureLod( envMap, backgroundRotation * vWorldDirection, roughnessToMip( backgroundBlurriness ) );
	#else
		vec4 texColor = textureCube( envMap, backgroundRotation * vWorldDirection );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,Tb=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,Eb=`uniform samplerCube tCube;
uniform float tFlip;
uniform float opacity;
varying vec3 vWorldDirection;
void main() {
	vec4 texColor = textureCube( tCube, vec3( tFlip * vWorldDirection.x, vWorldDirection.yz ) );
	gl_FragColor = texColor;
	gl_FragColor.a *= opacity;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,Ab=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
varying vec2 vHighPrecisionZW;
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vHighPrecisionZW = gl_Position.zw;
}`,Rb=`#if DEPTH_PACKING == 3200
	uniform float opacity;
#endif
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
varying vec2 vHighPrecisionZW;
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#if DEPTH_PACKING == 3200
		diffuseColor.a = opacity;
	#endif
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <logdepthbuf_fragment>
	#ifdef USE_REVERSED_DEPTH_BUFFER
		float fragCoordZ = vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ];
	#else
		float fragCoordZ = 0.5 * vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ] + 0.5;
	#endif
	#if DEPTH_PACKING == 3200
		gl_FragColor = vec4( vec3( 1.0 - fragCoordZ ), opacity );
	#elif DEPTH_PACKING == 3201
		gl_FragColor = packDepthToRGBA( fragCoordZ );
	#elif DEPTH_PACKING == 3202
		gl_FragColor = vec4( packDepthToRGB( fragCoordZ ), 1.0 );
	#elif DEPTH_PACKING == 3203
		gl_FragColor = vec4( packDepthToRG( fragCoordZ ), 0.0, 1.0 );
	#endif
}`,Cb=`#define DISTANCE
varying vec3 vWorldPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <worldpos_vertex>
	#include <clipping_planes_vertex>
	vWorldPosition = worldPosition.xyz;
}`,Pb=`#define DISTANCE
uniform vec3 referencePosition;
uniform float nearDistance;
uniform float farDistance;
varying vec3 vWorldPosition;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	float dist = length( vWorldPosition - referencePosition );
	dist = ( dist - nearDistance ) / ( farDistance - nearDistance );
	dist = saturate( dist );
	gl_FragColor = vec4( dist, 0.0, 0.0, 1.0 );
}`,Ib=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
}`,Lb=`uniform sampler2D tEquirect;
varying vec3 vWorldDirection;
#include <common>
void main() {
	vec3 direction = normalize( vWorldDirection );
	vec2 sampleUV = equirectUv( direction );
	gl_FragColor = texture2D( tEquirect, sampleUV );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,Nb=`uniform float scale;
attribute float lineDistance;
varying float vLineDistance;
#include <common>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	vLineDistance = scale * lineDistance;
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,Db=`uniform vec3 diffuse;
uniform float opacity;
uniform float dashSize;
uniform float totalSize;
varying float vLineDistance;
#include <common>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	if ( mod( vLineDistance, totalSize ) > dashSize ) {
		discard;
	}
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,Ub=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#if defined ( USE_ENVMAP ) || defined ( USE_SKINNING )
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinbase_vertex>
		#include <skinnormal_vertex>
		#include <defaultnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <fog_vertex>
}`,Fb=`uniform vec3 diffuse;
uniform float opacity;
#ifndef FLAT_SHADED
	varying vec3 vNormal;
#endif
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		reflectedLight.indirectDiffuse += lightMapTexel.rgb * lightMapIntensity * RECIPROCAL_PI;
	#else
		reflectedLight.indirectDiffuse += vec3( 1.0 );
	#endif
	#include <aomap_fragment>
	reflectedLight.indirectDiffuse *= diffuseColor.rgb;
	vec3 outgoingLight = reflectedLight.indirectDiffuse;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,Ob=`#define LAMBERT
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Bb=`#define LAMBERT
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_lambert_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_lambert_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,kb=`#define MATCAP
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <displacementmap_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
	vViewPosition = - mvPosition.xyz;
}`,zb=`#define MATCAP
uniform vec3 diffuse;
uniform float opacity;
uniform sampler2D matcap;
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	vec3 viewDir = normalize( vViewPosition );
	vec3 x = normalize( vec3( viewDir.z, 0.0, - viewDir.x ) );
	vec3 y = cross( viewDir, x );
	vec2 uv = vec2( dot( x, normal ), dot( y, normal ) ) * 0.495 + 0.5;
	#ifdef USE_MATCAP
		vec4 matcapColor = texture2D( matcap, uv );
	#else
		vec4 matcapColor = vec4( vec3( mix( 0.2, 0.8, uv.y ) ), 1.0 );
	#endif
	vec3 outgoingLight = diffuseColor.rgb * matcapColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,Vb=`#define NORMAL
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	vViewPosition = - mvPosition.xyz;
#endif
}`,Gb=`#define NORMAL
uniform float opacity;
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <uv_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 0.0, 0.0, 0.0, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	gl_FragColor = vec4( normalize( normal ) * 0.5 + 0.5, diffuseColor.a );
	#ifdef OPAQUE
		gl_FragColor.a = 1.0;
	#endif
}`,Hb=`#define PHONG
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Wb=`#define PHONG
uniform vec3 diffuse;
uniform vec3 emissive;
uniform vec3 specular;
uniform float shininess;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_phong_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_phong_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + reflectedLight.directSpecular + reflectedLight.indirectSpecular + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,Xb=`#define STANDARD
varying vec3 vViewPosition;
#ifdef USE_TRANSMISSION
	varying vec3 vWorldPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
#ifdef USE_TRANSMISSION
	vWorldPosition = worldPosition.xyz;
#endif
}`,qb=`#define STANDARD
#ifdef PHYSICAL
	#define IOR
	#define USE_SPECULAR
#endif
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float roughness;
uniform float metalness;
uniform float opacity;
#ifdef IOR
	uniform float ior;
#endif
#ifdef USE_SPECULAR
	uniform float specularIntensity;
	uniform vec3 specularColor;
	#ifdef USE_SPECULAR_COLORMAP
		uniform sampler2D specularColorMap;
	#endif
	#ifdef USE_SPECULAR_INTENSITYMAP
		uniform sampler2D specularIntensityMap;
	#endif
#endif
#ifdef USE_CLEARCOAT
	uniform float clearcoat;
	uniform float clearcoatRoughness;
#endif
#ifdef USE_DIFFUSE_ROUGHNESS
	uniform float diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		uniform sampler2D diffuseRoughnessMap;
	#endif
#endif
#ifdef USE_DISPERSION
	uniform float dispersion;
#endif
#ifdef USE_RETROREFLECTION
	uniform float retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	uniform float iridescence;
	uniform float iridescenceIOR;
	uniform float iridescenceThicknessMinimum;
	uniform float iridescenceThicknessMaximum;
#endif
#ifdef USE_SHEEN
	uniform vec3 sheenColor;
	uniform float sheenRoughness;
	#ifdef USE_SHEEN_COLORMAP
		uniform sampler2D sheenColorMap;
	#endif
	#ifdef USE_SHEEN_ROUGHNESSMAP
		uniform sampler2D sheenRoughnessMap;
	#endif
#endif
#ifdef USE_ANISOTROPY
	uniform vec2 anisotropyVector;
	#ifdef USE_ANISOTROPYMAP
		uniform sampler2D anisotropyMap;
	#endif
#endif
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <iridescence_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_physical_pars_fragment>
#include <transmission_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <clearcoat_pars_fragment>
#include <iridescence_pars_fragment>
#include <roughnessmap_pars_fragment>
#include <metalnessmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <roughnessmap_fragment>
	#include <metalnessmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <clearcoat_normal_fragment_begin>
	#include <clearcoat_normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_physical_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 totalDiffuse = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse;
	vec3 totalSpecular = reflectedLight.directSpecular + reflectedLight.indirectSpecular;
	#include <transmission_fragment>
	vec3 outgoingLight = totalDiffuse + totalSpecular + totalEmissiveRadiance;
	#ifdef USE_SHEEN
 
		outgoingLight = outgoingLight + sheenSpecularDirect + sheenSpecularIndirect;
 
 	#endif
	#ifdef USE_CLEARCOAT
		float dotNVcc = saturate( dot( geometryClearcoatNormal, geometryViewDir ) );
		vec3 Fcc = F_Schlick( material.clearcoatF0, material.clearcoatF90, dotNVcc );
		outgoingLight = outgoingLight * ( 1.0 - material.clearcoat * Fcc ) + ( clearcoatSpecularDirect + clearcoatSpecularIndirect ) * material.clearcoat;
	#endif
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,Yb=`#define TOON
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,$b=`#define TOON
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <gradientmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_toon_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_toon_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,Zb=`uniform float size;
uniform float scale;
#include <common>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
#ifdef USE_POINTS_UV
	varying vec2 vUv;
	uniform mat3 uvTransform;
#endif
void main() {
	#ifdef USE_POINTS_UV
		vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	#endif
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	gl_PointSize = size;
	#ifdef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) gl_PointSize *= ( scale / - mvPosition.z );
	#endif
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <fog_vertex>
}`,Jb=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <color_pars_fragment>
#include <map_particle_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_particle_fragment>
	#include <color_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,Kb=`#include <common>
#include <batching_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <shadowmap_pars_vertex>
void main() {
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,jb=`uniform vec3 color;
uniform float opacity;
#include <common>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <logdepthbuf_pars_fragment>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
void main() {
	#include <logdepthbuf_fragment>
	gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,Qb=`uniform float rotation;
uniform vec2 center;
#include <common>
#include <uv_pars_vertex>
#include <fog_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	vec4 mvPosition = modelViewMatrix[ 3 ];
	vec2 scale = vec2( length( modelMatrix[ 0 ].xyz ), length( modelMatrix[ 1 ].xyz ) );
	#ifndef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) scale *= - mvPosition.z;
	#endif
	vec2 alignedPosition = ( position.xy - ( center - vec2( 0.5 ) ) ) * scale;
	vec2 rotatedPosition;
	rotatedPosition.x = cos( rotation ) * alignedPosition.x - sin( rotation ) * alignedPosition.y;
	rotatedPosition.y = sin( rotation ) * alignedPosition.x + cos( rotation ) * alignedPosition.y;
	mvPosition.xy += rotatedPosition;
	gl_Position = projectionMatrix * mvPosition;
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,tS=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
}`,he={alphahash_fragment:Sv,alphahash_pars_fragment:Mv,alphamap_fragment:wv,alphamap_pars_fragment:Tv,alphatest_fragment:Ev,alphatest_pars_fragment:Av,aomap_fragment:Rv,aomap_pars_fragment:Cv,batching_pars_vertex:Pv,batching_vertex:Iv,begin_vertex:Lv,beginnormal_vertex:Nv,bsdfs:Dv,iridescence_fragment:Uv,bumpmap_pars_fragment:Fv,clipping_planes_fragment:Ov,clipping_planes_pars_fragment:Bv,clipping_planes_pars_vertex:kv,clipping_planes_vertex:zv,color_fragment:Vv,color_pars_fragment:Gv,color_pars_vertex:Hv,color_vertex:Wv,common:Xv,defaultnormal_vertex:qv,displacementmap_pars_vertex:Yv,displacementmap_vertex:$v,emissivemap_fragment:Zv,emissivemap_pars_fragment:Jv,colorspace_fragment:Kv,colorspace_pars_fragment:jv,envmap_fragment:Qv,envmap_common_pars_fragment:ty,envmap_pars_fragment:ey,envmap_pars_vertex:ny,envmap_physical_pars_fragment:fy,envmap_vertex:iy,fog_vertex:sy,fog_pars_vertex:ry,fog_fragment:oy,fog_pars_fragment:ay,gradientmap_pars_fragment:ly,lightmap_pars_fragment:cy,lights_lambert_fragment:hy,lights_lambert_pars_fragment:uy,lights_pars_begin:dy,lights_toon_fragment:py,lights_toon_pars_fragment:my,lights_phong_fragment:gy,lights_phong_pars_fragment:_y,lights_physical_fragment:xy,lights_physical_pars_fragment:vy,lights_fragment_begin:yy,lights_fragment_maps:by,lights_fragment_end:Sy,lightprobes_pars_fragment:My,logdepthbuf_fragment:wy,logdepthbuf_pars_fragment:Ty,logdepthbuf_pars_vertex:Ey,logdepthbuf_vertex:Ay,map_fragment:Ry,map_pars_fragment:Cy,map_particle_fragment:Py,map_particle_pars_fragment:Iy,metalnessmap_fragment:Ly,metalnessmap_pars_fragment:Ny,morphinstance_vertex:Dy,morphcolor_vertex:Uy,morphnormal_vertex:Fy,morphtarget_pars_vertex:Oy,morphtarget_vertex:By,normal_fragment_begin:ky,normal_fragment_maps:zy,normal_pars_fragment:Vy,normal_pars_vertex:Gy,normal_vertex:Hy,normalmap_pars_fragment:Wy,clearcoat_normal_fragment_begin:Xy,clearcoat_normal_fragment_maps:qy,clearcoat_pars_fragment:Yy,iridescence_pars_fragment:$y,opaque_fragment:Zy,packing:Jy,premultiplied_alpha_fragment:Ky,project_vertex:jy,dithering_fragment:Qy,dithering_pars_fragment:tb,roughnessmap_fragment:eb,roughnessmap_pars_fragment:nb,shadowmap_pars_fragment:ib,shadowmap_pars_vertex:sb,shadowmap_vertex:rb,shadowmask_pars_fragment:ob,skinbase_vertex:ab,skinning_pars_vertex:lb,skinning_vertex:cb,skinnormal_vertex:hb,specularmap_fragment:ub,specularmap_pars_fragment:db,tonemapping_fragment:fb,tonemapping_pars_fragment:pb,transmission_fragment:mb,transmission_pars_fragment:gb,uv_pars_fragment:_b,uv_pars_vertex:xb,uv_vertex:vb,worldpos_vertex:yb,background_vert:bb,background_frag:Sb,backgroundCube_vert:Mb,backgroundCube_frag:wb,cube_vert:Tb,cube_frag:Eb,depth_vert:Ab,depth_frag:Rb,distance_vert:Cb,distance_frag:Pb,equirect_vert:Ib,equirect_frag:Lb,linedashed_vert:Nb,linedashed_frag:Db,meshbasic_vert:Ub,meshbasic_frag:Fb,meshlambert_vert:Ob,meshlambert_frag:Bb,meshmatcap_vert:kb,meshmatcap_frag:zb,meshnormal_vert:Vb,meshnormal_frag:Gb,meshphong_vert:Hb,meshphong_frag:Wb,meshphysical_vert:Xb,meshphysical_frag:qb,meshtoon_vert:Yb,meshtoon_frag:$b,points_vert:Zb,points_frag:Jb,shadow_vert:Kb,shadow_frag:jb,sprite_vert:Qb,sprite_frag:tS},Lt={common:{diffuse:{value:new oe(16777215)},opacity:{value:1},map:{value:null},mapTransform:{value:new te},alphaMap:{value:null},alphaMapTransform:{value:new te},alphaTest:{value:0}},specularmap:{specularMap:{value:null},specularMapTransform:{value:new te}},envmap:{envMap:{value:null},envMapRotation:{value:new te},reflectivity:{value:1},ior:{value:1.5},refractionRatio:{value:.98},dfgLUT:{value:null}},aomap:{aoMap:{value:null},aoMapIntensity:{value:1},aoMapTransform:{value:new te}},lightmap:{lightMap:{value:null},lightMapIntensity:{value:1},lightMapTransform:{value:new te}},bumpmap:{bumpMap:{value:null},bumpMapTransform:{value:new te},bumpScale:{value:1}},normalmap:{normalMap:{value:null},normalMapTransform:{value:new te},normalScale:{value:new Kt(1,1)}},displacementmap:{displacementMap:{value:null},displacementMapTransform:{value:new te},displacementScale:{value:1},displacementBias:{value:0}},emissivemap:{emissiveMap:{value:null},emissiveMapTransform:{value:new te}},metalnessmap:{metalnessMap:{value:null},metalnessMapTransform:{value:new te}},roughnessmap:{roughnessMap:{value:null},roughnessMapTransform:{value:new te}},gradientmap:{gradientMap:{value:null}},fog:{fogDensity:{value:25e-5},fogNear:{value:1},fogFar:{value:2e3},fogColor:{value:new oe(16777215)}},lights:{ambientLightColor:{value:[]},lightProbe:{value:[]},sunLights:{value:[],properties:{direction:{},color:{}}},sunLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},sunShadowMatrix:{value:[]},sunShadowCascade:{value:[]},directionalLights:{value:[],properties:{direction:{},color:{}}},directionalLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},directionalShadowMatrix:{value:[]},spotLights:{value:[],properties:{color:{},position:{},direction:{},distance:{},coneCos:{},penumbraCos:{},decay:{}}},spotLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},spotLightMap:{value:[]},spotLightMatrix:{value:[]},pointLights:{value:[],properties:{color:{},position:{},decay:{},distance:{}}},pointLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{},shadowCameraNear:{},shadowCameraFar:{}}},pointShadowMatrix:{value:[]},hemisphereLights:{value:[],properties:{direction:{},skyColor:{},groundColor:{}}},rectAreaLights:{value:[],properties:{color:{},position:{},width:{},height:{}}},ltc_1:{value:null},ltc_2:{value:null},probesSH:{value:[]},probesMin:{value:[]},probesMax:{value:[]},probesResolution:{value:[]}},points:{diffuse:{value:new oe(16777215)},opacity:{value:1},size:{value:1},scale:{value:1},map:{value:null},alphaMap:{value:null},alphaMapTransform:{value:new te},alphaTest:{value:0},uvTransform:{value:new te}},sprite:{diffuse:{value:new oe(16777215)},opacity:{value:1},center:{value:new Kt(.5,.5)},rotation:{value:0},map:{value:null},mapTransform:{value:new te},alphaMap:{value:null},alphaMapTransform:{value:new te},alphaTest:{value:0}}},es={basic:{uniforms:Un([Lt.common,Lt.specularmap,Lt.envmap,Lt.aomap,Lt.lightmap,Lt.fog]),vertexShader:he.meshbasic_vert,fragmentShader:he.meshbasic_frag},lambert:{uniforms:Un([Lt.common,Lt.specularmap,Lt.envmap,Lt.aomap,Lt.lightmap,Lt.emissivemap,Lt.bumpmap,Lt.normalmap,Lt.displacementmap,Lt.fog,Lt.lights,{emissive:{value:new oe(0)},envMapIntensity:{value:1}}]),vertexShader:he.meshlambert_vert,fragmentShader:he.meshlambert_frag},phong:{uniforms:Un([Lt.common,Lt.specularmap,Lt.envmap,Lt.aomap,Lt.lightmap,Lt.emissivemap,Lt.bumpmap,Lt.normalmap,Lt.displacementmap,Lt.fog,Lt.lights,{emissive:{value:new oe(0)},specular:{value:new oe(1118481)},shininess:{value:30},envMapIntensity:{value:1}}]),vertexShader:he.meshphong_vert,fragmentShader:he.meshphong_frag},standard:{uniforms:Un([Lt.common,Lt.envmap,Lt.aomap,Lt.lightmap,Lt.emissivemap,Lt.bumpmap,Lt.normalmap,Lt.displacementmap,Lt.roughnessmap,Lt.metalnessmap,Lt.fog,Lt.lights,{emissive:{value:new oe(0)},roughness:{value:1},metalness:{value:0},envMapIntensity:{value:1}}]),vertexShader:he.meshphysical_vert,fragmentShader:he.meshphysical_frag},toon:{uniforms:Un([Lt.common,Lt.aomap,Lt.lightmap,Lt.emissivemap,Lt.bumpmap,Lt.normalmap,Lt.displacementmap,Lt.gradientmap,Lt.fog,Lt.lights,{emissive:{value:new oe(0)}}]),vertexShader:he.meshtoon_vert,fragmentShader:he.meshtoon_frag},matcap:{uniforms:Un([Lt.common,Lt.bumpmap,Lt.normalmap,Lt.displacementmap,Lt.fog,{matcap:{value:null}}]),vertexShader:he.meshmatcap_vert,fragmentShader:he.meshmatcap_frag},points:{uniforms:Un([Lt.points,Lt.fog]),vertexShader:he.points_vert,fragmentShader:he.points_frag},dashed:{uniforms:Un([Lt.common,Lt.fog,{scale:{value:1},dashSize:{value:1},totalSize:{value:2}}]),vertexShader:he.linedashed_vert,fragmentShader:he.linedashed_frag},depth:{uniforms:Un([Lt.common,Lt.displacementmap]),vertexShader:he.depth_vert,fragmentShader:he.depth_frag},normal:{uniforms:Un([Lt.common,Lt.bumpmap,Lt.normalmap,Lt.displacementmap,{opacity:{value:1}}]),vertexShader:he.meshnormal_vert,fragmentShader:he.meshnormal_frag},sprite:{uniforms:Un([Lt.sprite,Lt.fog]),vertexShader:he.sprite_vert,fragmentShader:he.sprite_frag},background:{uniforms:{uvTransform:{value:new te},t2D:{value:null},backgroundIntensity:{value:1}},vertexShader:he.background_vert,fragmentShader:he.background_frag},backgroundCube:{uniforms:{envMap:{value:null},backgroundBlurriness:{value:0},backgroundIntensity:{value:1},backgroundRotation:{value:new te}},vertexShader:he.backgroundCube_vert,fragmentShader:he.backgroundCube_frag},cube:{uniforms:{tCube:{value:null},tFlip:{value:-1},opacity:{value:1}},vertexShader:he.cube_vert,fragmentShader:he.cube_frag},equirect:{uniforms:{tEquirect:{value:null}},vertexShader:he.equirect_vert,fragmentShader:he.equirect_frag},distance:{uniforms:Un([Lt.common,Lt.displacementmap,{referencePosition:{value:new X},nearDistance:{value:1},farDistance:{value:1e3}}]),vertexShader:he.distance_vert,fragmentShader:he.distance_frag},shadow:{uniforms:Un([Lt.lights,Lt.fog,{color:{value:new oe(0)},opacity:{value:1}}]),vertexShader:he.shadow_vert,fragmentShader:he.shadow_frag}};es.physical={uniforms:Un([es.standard.uniforms,{clearcoat:{value:0},clearcoatMap:{value:null},clearcoatMapTransform:{value:new te},clearcoatNormalMap:{value:null},clearcoatNormalMapTransform:{value:new te},clearcoatNormalScale:{value:new Kt(1,1)},clearcoatRoughness:{value:0},clearcoatRoughnessMap:{value:null},clearcoatRoughnessMapTransform:{value:new te},diffuseRoughness:{value:0},diffuseRoughnessMap:{value:null},diffuseRoughnessMapTransform:{value:new te},dispersion:{value:0},retroreflectivity:{value:0},iridescence:{value:0},iridescenceMap:{value:null},iridescenceMapTransform:{value:new te},iridescenceIOR:{value:1.3},iridescenceThicknessMinimum:{value:100},iridescenceThicknessMaximum:{value:400},iridescenceThicknessMap:{value:null},iridescenceThicknessMapTransform:{value:new te},sheen:{value:0},sheenColor:{value:new oe(0)},sheenColorMap:{value:null},sheenColorMapTransform:{value:new te},sheenRoughness:{value:1},sheenRoughnessMap:{value:null},sheenRoughnessMapTransform:{value:new te},transmission:{value:0},transmissionMap:{value:null},transmissionMapTransform:{value:new te},transmissionSamplerSize:{value:new Kt},transmissionSamplerMap:{value:null},thickness:{value:0},thicknessMap:{value:null},thicknessMapTransform:{value:new te},attenuationDistance:{value:0},attenuationColor:{value:new oe(0)},specularColor:{value:new oe(1,1,1)},specularColorMap:{value:null},specularColorMapTransform:{value:new te},specularIntensity:{value:1},specularIntensityMap:{value:null},specularIntensityMapTransform:{value:new te},anisotropyVector:{value:new Kt},anisotropyMap:{value:null},anisotropyMapTransform:{value:new te}}]),vertexShader:he.meshphysical_vert,fragmentShader:he.meshphysical_frag};var rh={r:0,b:0,g:0},eS=new Se,Ig=new te;Ig.set(-1,0,0,0,1,0,0,0,1);function nS(i,t,e,n,s,r){let o=new oe(0),a=s===!0?0:1,c,l,u=null,d=0,h=null;function f(y){let A=y.isScene===!0?y.background:null;if(A&&A.isTexture){let w=y.backgroundBlurriness>0;A=t.get(A,w)}return A}function p(y){let A=!1,w=f(y);w===null?m(o,a):w&&w.isColor&&(m(w,1),A=!0);let P=i.xr.getEnvironmentBlendMode();P==="additive"?e.buffers.color.setClear(0,0,0,1,r):P==="alpha-blend"&&e.buffers.color.setClear(0,0,0,0,r),(i.autoClear||A)&&(e.buffers.depth.setTest(!0),e.buffers.depth.setMask(!0),e.buffers.color.setMask(!0),i.clear(i.autoClearColor,i.autoClearDepth,i.autoClearStencil))}function v(y,A){let w=f(A);w&&w.isCubeTexture?(l===void 0&&(l=new Yn(new _o(1,1,1),new Ki({name:"BackgroundCubeMaterial",uniforms:yr(es.backgroundCube.uniforms),vertexShader:es.backgroundCube.vertexShader,fragmentShader:es.backgroundCube.fragmentShader,side:$n,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),l.geometry.deleteAttribute("normal"),l.geometry.deleteAttribute("uv"),l.onBeforeRender=function(P,E,x){this.matrixWorld.copyPosition(x.matrixWorld)},Object.defineProperty(l.material,"envMap",{get:function(){return this.uniforms.envMap.value}}),n.update(l)),l.material.uniforms.envMap.value=w,l.material.uniforms.backgroundBlurriness.value=A.backgroundBlurriness,l.material.uniforms.backgroundIntensity.value=A.backgroundIntensity,l.material.uniforms.backgroundRotation.value.setFromMatrix4(eS.makeRotationFromEuler(A.backgroundRotation)).transpose(),w.isRenderTargetTexture===!1&&l.material.uniforms.backgroundRotation.value.premultiply(Ig),l.material.toneMapped=xe.getTransfer(w.colorSpace)!==Ae,(u!==w||d!==w.version||h!==i.toneMapping)&&(l.material.needsUpdate=!0,u=w,d=w.version,h=i.toneMapping),l.layers.enableAll(),y.unshift(l,l.geometry,l.material,0,0,null)):w&&w.isTexture&&(c===void 0&&(c=new Yn(new ya(2,2),new Ki({name:"BackgroundMaterial",uniforms:yr(es.background.uniforms),vertexShader:es.background.vertexShader,fragmentShader:es.background.fragmentShader,side:Zs,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),c.geometry.deleteAttribute("normal"),Object.defineProperty(c.material,"map",{get:function(){return this.uniforms.t2D.value}}),n.update(c)),c.material.uniforms.t2D.value=w,c.material.uniforms.backgroundIntensity.value=A.backgroundIntensity,c.material.toneMapped=xe.getTransfer(w.colorSpace)!==Ae,w.matrixAutoUpdate===!0&&w.updateMatrix(),c.material.uniforms.uvTransform.value.copy(w.matrix),(u!==w||d!==w.version||h!==i.toneMapping)&&(c.material.needsUpdate=!0,u=w,d=w.version,h=i.toneMapping),c.layers.enableAll(),y.unshift(c,c.geometry,c.material,0,0,null))}function m(y,A){y.getRGB(rh,gd(i)),e.buffers.color.setClear(rh.r,rh.g,rh.b,A,r)}function g(){l!==void 0&&(l.geometry.dispose(),l.material.dispose(),l=void 0),c!==void 0&&(c.geometry.dispose(),c.material.dispose(),c=void 0)}return{getClearColor:function(){return o},setClearColor:function(y,A=1){o.set(y),a=A,m(o,a)},getClearAlpha:function(){return a},setClearAlpha:function(y){a=y,m(o,a)},render:p,addToRenderList:v,dispose:g}}function iS(i,t){let e=i.getParameter(i.MAX_VERTEX_ATTRIBS),n={},s=h(null),r=s,o=!1;function a(N,z,H,L,W){let $=!1,G=d(N,L,H,z);r!==G&&(r=G,l(r.object)),$=f(N,L,H,W),$&&p(N,L,H,W),W!==null&&t.update(W,i.ELEMENT_ARRAY_BUFFER),($||o)&&(o=!1,w(N,z,H,L),W!==null&&i.bindBuffer(i.ELEMENT_ARRAY_BUFFER,t.get(W).buffer))}function c(){return i.createVertexArray()}function l(N){return i.bindVertexArray(N)}function u(N){return i.deleteVertexArray(N)}function d(N,z,H,L){let W=L.wireframe===!0,$=n[z.id];$===void 0&&($={},n[z.id]=$);let G=N.isInstancedMesh===!0?N.id:0,ct=$[G];ct===void 0&&(ct={},$[G]=ct);let K=ct[H.id];K===void 0&&(K={},ct[H.id]=K);let Q=K[W];return Q===void 0&&(Q=h(c()),K[W]=Q),Q}function h(N){let z=[],H=[],L=[];for(let W=0;W<e;W++)z[W]=0,H[W]=0,L[W]=0;return{geometry:null,program:null,wireframe:!1,newAttributes:z,enabledAttributes:H,attributeDivisors:L,object:N,attributes:{},index:null}}function f(N,z,H,L){let W=r.attributes,$=z.attributes,G=0,ct=H.getAttributes();for(let K in ct)if(ct[K].location>=0){let st=W[K],dt=$[K];if(dt===void 0&&(K==="instanceMatrix"&&N.instanceMatrix&&(dt=N.instanceMatrix),K==="instanceColor"&&N.instanceColor&&(dt=N.instanceColor)),st===void 0||st.attribute!==dt||dt&&st.data!==dt.data)return!0;G++}return r.attributesNum!==G||r.index!==L}function p(N,z,H,L){let W={},$=z.attributes,G=0,ct=H.getAttributes();for(let K in ct)if(ct[K].location>=0){let st=$[K];st===void 0&&(K==="instanceMatrix"&&N.instanceMatrix&&(st=N.instanceMatrix),K==="instanceColor"&&N.instanceColor&&(st=N.instanceColor));let dt={};dt.attribute=st,st&&st.data&&(dt.data=st.data),W[K]=dt,G++}r.attributes=W,r.attributesNum=G,r.index=L}function v(){let N=r.newAttributes;for(let z=0,H=N.length;z<H;z++)N[z]=0}function m(N){g(N,0)}function g(N,z){let H=r.newAttributes,L=r.enabledAttributes,W=r.attributeDivisors;H[N]=1,L[N]===0&&(i.enableVertexAttribArray(N),L[N]=1),W[N]!==z&&(i.vertexAttribDivisor(N,z),W[N]=z)}function y(){let N=r.newAttributes,z=r.enabledAttributes;for(let H=0,L=z.length;H<L;H++)z[H]!==N[H]&&(i.disableVertexAttribArray(H),z[H]=0)}function A(N,z,H,L,W,$,G){G===!0?i.vertexAttribIPointer(N,z,H,W,$):i.vertexAttribPointer(N,z,H,L,W,$)}function w(N,z,H,L){v();let W=L.attributes,$=H.getAttributes(),G=z.defaultAttributeValues;for(let ct in $){let K=$[ct];if(K.location>=0){let Q=W[ct];if(Q===void 0&&(ct==="instanceMatrix"&&N.instanceMatrix&&(Q=N.instanceMatrix),ct==="instanceColor"&&N.instanceColor&&(Q=N.instanceColor)),Q!==void 0){let st=Q.normalized,dt=Q.itemSize,ut=t.get(Q);if(ut===void 0)continue;let tt=ut.buffer,mt=ut.type,xt=ut.bytesPerElement,At=mt===i.INT||mt===i.UNSIGNED_INT||Q.gpuType===bc;if(Q.isInterleavedBufferAttribute){let St=Q.data,Ht=St.isInterleavedBuffer===!0?St.stride:St.itemSize,ie=Q.offset;if(St.isInstancedInterleavedBuffer||St.isInstancedBufferAttribute){for(let Vt=0;Vt<K.locationSize;Vt++)g(K.location+Vt,St.meshPerAttribute);N.isInstancedMesh!==!0&&L._maxInstanceCount===void 0&&(L._maxInstanceCount=St.meshPerAttribute*St.count)}else for(let Vt=0;Vt<K.locationSize;Vt++)m(K.location+Vt);i.bindBuffer(i.ARRAY_BUFFER,tt);for(let Vt=0;Vt<K.locationSize;Vt++)A(K.location+Vt,dt/K.locationSize,mt,st,Ht*xt,(ie+dt/K.locationSize*Vt)*xt,At)}else{if(Q.isInstancedBufferAttribute){for(let St=0;St<K.locationSize;St++)g(K.location+St,Q.meshPerAttribute);N.isInstancedMesh!==!0&&L._maxInstanceCount===void 0&&(L._maxInstanceCount=Q.meshPerAttribute*Q.count)}else for(let St=0;St<K.locationSize;St++)m(K.location+St);i.bindBuffer(i.ARRAY_BUFFER,tt);for(let St=0;St<K.locationSize;St++)A(K.location+St,dt/K.locationSize,mt,st,dt*xt,dt/K.locationSize*St*xt,At)}}else if(G!==void 0){let st=G[ct];if(st!==void 0)switch(st.length){case 2:i.vertexAttrib2fv(K.location,st);break;case 3:i.vertexAttrib3fv(K.location,st);break;case 4:i.vertexAttrib4fv(K.location,st);break;default:i.vertexAttrib1fv(K.location,st)}}}}y()}function P(){k();for(let N in n){let z=n[N];for(let H in z){let L=z[H];for(let W in L){let $=L[W];for(let G in $)u($[G].object),delete $[G];delete L[W]}}delete n[N]}}function E(N){if(n[N.id]===void 0)return;let z=n[N.id];for(let H in z){let L=z[H];for(let W in L){let $=L[W];for(let G in $)u($[G].object),delete $[G];delete L[W]}}delete n[N.id]}function x(N){for(let z in n){let H=n[z];for(let L in H){let W=H[L];if(W[N.id]===void 0)continue;let $=W[N.id];for(let G in $)u($[G].object),delete $[G];delete W[N.id]}}}function T(N){for(let z in n){let H=n[z],L=N.isInstancedMesh===!0?N.id:0,W=H[L];if(W!==void 0){for(let $ in W){let G=W[$];for(let ct in G)u(G[ct].object),delete G[ct];delete W[$]}delete H[L],Object.keys(H).length===0&&delete n[z]}}}function k(){U(),o=!0,r!==s&&(r=s,l(r.object))}function U(){s.geometry=null,s.program=null,s.wireframe=!1}return{setup:a,reset:k,resetDefaultState:U,dispose:P,releaseStatesOfGeometry:E,releaseStatesOfObject:T,releaseStatesOfProgram:x,initAttributes:v,enableAttribute:m,disableUnusedAttributes:y}}function sS(i,t,e){let n;function s(c){n=c}function r(c,l){i.drawArrays(n,c,l),e.update(l,n,1)}function o(c,l,u){u!==0&&(i.drawArraysInstanced(n,c,l,u),e.update(l,n,u))}function a(c,l,u){if(u===0)return;t.get("WEBGL_multi_draw").multiDrawArraysWEBGL(n,c,0,l,0,u);let h=0;for(let f=0;f<u;f++)h+=l[f];e.update(h,n,1)}this.setMode=s,this.render=r,this.renderInstances=o,this.renderMultiDraw=a}function rS(i,t,e,n){let s;function r(){if(s!==void 0)return s;if(t.has("EXT_texture_filter_anisotropic")===!0){let x=t.get("EXT_texture_filter_anisotropic");s=i.getParameter(x.MAX_TEXTURE_MAX_ANISOTROPY_EXT)}else s=0;return s}function o(x){return!(x!==Bi&&n.convert(x)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_FORMAT))}function a(x){let T=x===Oi&&(t.has("EXT_color_buffer_half_float")||t.has("EXT_color_buffer_float"));return!(x!==jn&&x!==Si&&!T&&n.convert(x)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_TYPE))}function c(x){if(x==="highp"){if(i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.HIGH_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.HIGH_FLOAT).precision>0)return"highp";x="mediump"}return x==="mediump"&&i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.MEDIUM_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.MEDIUM_FLOAT).precision>0?"mediump":"lowp"}let l=e.precision!==void 0?e.precision:"highp",u=c(l);u!==l&&(qt("WebGLRenderer:",l,"not supported, using",u,"instead."),l=u);let d=e.reversedDepthBuffer===!0&&t.has("EXT_clip_control"),h=e.logarithmicDepthBuffer===!0&&d===!1;e.reversedDepthBuffer===!0&&d===!1&&qt("WebGLRenderer: Unable to use reversed depth buffer due to missing EXT_clip_control extension. Fallback to default depth buffer."),e.logarithmicDepthBuffer===!0&&d===!0&&qt("WebGLRenderer: Logarithmic depth buffer is ignored when reversed depth buffer is enabled.");let f=i.getParameter(i.MAX_TEXTURE_IMAGE_UNITS),p=i.getParameter(i.MAX_VERTEX_TEXTURE_IMAGE_UNITS),v=i.getParameter(i.MAX_TEXTURE_SIZE),m=i.getParameter(i.MAX_CUBE_MAP_TEXTURE_SIZE),g=i.getParameter(i.MAX_VERTEX_ATTRIBS),y=i.getParameter(i.MAX_VERTEX_UNIFORM_VECTORS),A=i.getParameter(i.MAX_VARYING_VECTORS),w=i.getParameter(i.MAX_FRAGMENT_UNIFORM_VECTORS),P=i.getParameter(i.MAX_SAMPLES),E=i.getParameter(i.SAMPLES);return{isWebGL2:!0,getMaxAnisotropy:r,getMaxPrecision:c,textureFormatReadable:o,textureTypeReadable:a,precision:l,logarithmicDepthBuffer:h,reversedDepthBuffer:d,maxTextures:f,maxVertexTextures:p,maxTextureSize:v,maxCubemapSize:m,maxAttributes:g,maxVertexUniforms:y,maxVaryings:A,maxFragmentUniforms:w,maxSamples:P,samples:E}}function oS(i){let t=this,e=null,n=0,s=!1,r=!1,o=new hi,a=new te,c={value:null,needsUpdate:!1};this.uniform=c,this.numPlanes=0,this.numIntersection=0,this.init=function(d,h){let f=d.length!==0||h||n!==0||s;return s=h,n=d.length,f},this.beginShadows=function(){r=!0,u(null)},this.endShadows=function(){r=!1},this.setGlobalState=function(d,h){e=u(d,h,0)},this.setState=function(d,h,f){let p=d.clippingPlanes,v=d.clipIntersection,m=d.clipShadows,g=i.get(d);if(!s||p===null||p.length===0||r&&!m)r?u(null):l();else{let y=r?0:n,A=y*4,w=g.clippingState||null;c.value=w,w=u(p,h,A,f);for(let P=0;P!==A;++P)w[P]=e[P];g.clippingState=w,this.numIntersection=v?this.numPlanes:0,this.numPlanes+=y}};function l(){c.value!==e&&(c.value=e,c.needsUpdate=n>0),t.numPlanes=n,t.numIntersection=0}function u(d,h,f,p){let v=d!==null?d.length:0,m=null;if(v!==0){if(m=c.value,p!==!0||m===null){let g=f+v*4,y=h.matrixWorldInverse;a.getNormalMatrix(y),(m===null||m.length<g)&&(m=new Float32Array(g));for(let A=0,w=f;A!==v;++A,w+=4)o.copy(d[A]).applyMatrix4(y,a),o.normal.toArray(m,w),m[w+3]=o.constant}c.value=m,c.needsUpdate=!0}return t.numPlanes=v,t.numIntersection=0,m}}var za=class extends di{constructor(t=1,e={}){super(t,t,e),this.isWebGLCubeRenderTarget=!0;let n={width:t,height:t,depth:1},s=[n,n,n,n,n,n];this.texture=new ga(s),this._setTextureOptions(e),this.texture.isRenderTargetTexture=!0}fromEquirectangularTexture(t,e){this.texture.type=e.type,this.texture.colorSpace=e.colorSpace,this.texture.generateMipmaps=e.generateMipmaps,this.texture.minFilter=e.minFilter,this.texture.magFilter=e.magFilter;let n={uniforms:{tEquirect:{value:null}},vertexShader:`

				varying vec3 vWorldDirection;

				vec3 transformDirection( in vec3 dir, in mat4 matrix ) {

					return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );

				}

				void main() {

					vWorldDirection = transformDirection( position, modelMatrix );

					#include <begin_vertex>
					#include <project_vertex>

				}
			`,fragmentShader:`

				uniform sampler2D tEquirect;

				varying vec3 vWorldDirection;

				#include <common>

				void main() {

					vec3 direction = normalize( vWorldDirection );

					vec2 sampleUV = equirectUv( direction );

					gl_FragColor = texture2D( tEquirect, sampleUV );

				}
			`},s=new _o(5,5,5),r=new Ki({name:"CubemapFromEquirect",uniforms:yr(n.uniforms),vertexShader:n.vertexShader,fragmentShader:n.fragmentShader,side:$n,blending:gr});r.uniforms.tEquirect.value=e;let o=new Yn(s,r),a=e.minFilter;return e.minFilter===Ss&&(e.minFilter=Xn),new xo(1,10,this).update(t,o),e.minFilter=a,o.geometry.dispose(),o.material.dispose(),this}clear(t,e=!0,n=!0,s=!0){let r=t.getRenderTarget();for(let o=0;o<6;o++)t.setRenderTarget(this,o),t.clear(e,n,s);t.setRenderTarget(r)}},cg=256,aS=3,lS=20,Lg=256,Ng=16,cS=3,hS=new X,uS=new oe,ah=class i{constructor(t){this._renderer=t,this._cubeSize=0,this._sourceTarget=null,this._cubeCamera=new xo(1,10,null),this._boxMesh=new Yn(new _o(5,5,5),null),this._cubemapMaterial=null,this._equirectMaterial=null,this._blurMaterial=null,this._ggxMaterial=null,this._integrationMaterial=null}fromScene(t,e=0,n=.1,s=100,r={}){let{size:o=256,position:a=hS}=r,c=this._renderer;this._setSize(o);let l=this._allocateTarget(),u=this._getSourceTarget(!0);e>0&&(u.texture.mipmapsAutoUpdate=!1);let d=c.autoClear,h=c.autoClearColor,f=c.autoClearDepth,p=c.autoClearStencil,v=t.background;c.autoClear=!0,c.autoClearColor=!0,c.autoClearDepth=!0,c.autoClearStencil=!0,v===null&&(t.background=c.getClearColor(uS));let m=new xo(n,s,u);return m.position.copy(a),m.update(c,t),c.autoClear=d,c.autoClearColor=h,c.autoClearDepth=f,c.autoClearStencil=p,t.background=v,e>0&&(u.texture.mipmapsAutoUpdate=!0,this._blur(l,e)),this._applyPMREM(l),l}fromEquirectangular(t,e=null){return this._fromTexture(t,e)}fromCubemap(t,e=null){return this._fromTexture(t,e)}compileCubemapShader(){this._cubemapMaterial===null&&(this._cubemapMaterial=dg(),this._compileMaterial(this._cubemapMaterial))}compileEquirectangularShader(){this._equirectMaterial===null&&(this._equirectMaterial=ug(),this._compileMaterial(this._equirectMaterial))}dispose(){this._sourceTarget!==null&&this._sourceTarget.dispose(),this._cubemapMaterial!==null&&this._cubemapMaterial.dispose(),this._equirectMaterial!==null&&this._equirectMaterial.dispose(),this._blurMaterial!==null&&this._blurMaterial.dispose(),this._ggxMaterial!==null&&this._ggxMaterial.dispose(),this._integrationMaterial!==null&&this._integrationMaterial.dispose(),this._boxMesh.geometry.dispose()}static lodToRoughness(t,e){return e>0?1-Math.sqrt(1-t/e):0}_setSize(t){this._cubeSize=Math.max(cg,fd(t))}_fromTexture(t,e){t.mapping===xr||t.mapping===So?this._setSize(t.image.length===0?cg:t.image[0].width||t.image[0].image.width):this._setSize(t.image.width/4);let n=e||this._allocateTarget();return this._textureToCubemap(t),this._applyPMREM(n),n}_allocateTarget(){let t=this._cubeSize,e=hg(t,!1,!1),n=Math.log2(t)-aS;for(let s=0;s<=n;s++)e.texture.mipmaps.push({width:t>>s,height:t>>s});return e.texture.name="PMREM",e.texture.isPMREMTexture=!0,e}_getSourceTarget(t=!1){let e=this._cubeSize,n=this._sourceTarget;return(n===null||n.width!==e||t&&n.depthBuffer===!1)&&(n!==null&&n.dispose(),this._sourceTarget=hg(e,!0,t)),this._sourceTarget}_compileMaterial(t){this._boxMesh.material=t,this._renderer.compile(this._boxMesh,this._cubeCamera.children[0])}_renderCube(t,e,n){let s=this._boxMesh,r=this._cubeCamera;s.material=n,r.renderTarget=t,r.activeMipmapLevel=e;let o=t.width>>e;t.viewport.set(0,0,o,o),r.update(this._renderer,s),t.viewport.set(0,0,t.width,t.height)}_textureToCubemap(t){let e;t.mapping===xr||t.mapping===So?(this._cubemapMaterial===null&&(this._cubemapMaterial=dg()),e=this._cubemapMaterial,e.uniforms.flipEnvMap.value=t.isRenderTargetTexture===!1?-1:1):(this._equirectMaterial===null&&(this._equirectMaterial=ug()),e=this._equirectMaterial),e.uniforms.envMap.value=t,this._renderCube(this._getSourceTarget(),0,e)}_applyPMREM(t){this._ggxMaterial===null&&(this._ggxMaterial=dS(),this._integrationMaterial=fS());let e=this._cubeSize,n=t.texture.mipmaps.length-1,s=this._ggxMaterial.uniforms;s.envMap.value=this._sourceTarget.texture;let r=this._integrationMaterial.uniforms;r.envMap.value=this._sourceTarget.texture,r.sourceLod.value=Math.log2(e/Ng);for(let o=0;o<=n;o++){let a=i.lodToRoughness(o,n);if(o>n-cS)r.roughness.value=a,this._renderCube(t,o,this._integrationMaterial);else{let c=a>0?Math.log2(e)+.5*Math.log2(6/(Lg*Math.pow(a,4)))+.5:0;s.roughness.value=a,s.lodBias.value=c,this._renderCube(t,o,this._ggxMaterial)}}}_blur(t,e){this._blurMaterial===null&&(this._blurMaterial=pS());let n=this._blurMaterial,s=n.uniforms,r=this._sourceTarget;s.sigma.value=Math.min(e,Math.PI)/Math.SQRT2,s.envMap.value=r.texture,this._renderCube(t,0,n),s.envMap.value=t.texture,this._renderCube(r,0,n)}};function hg(i,t,e){return new za(i,{minFilter:Ss,generateMipmaps:t,type:Oi,colorSpace:aa,depthBuffer:e})}function Va(i,t,e){return new Ki({name:i,uniforms:t,vertexShader:he.cube_vert,fragmentShader:e,side:$n,blending:gr,depthTest:!1,depthWrite:!1})}function dS(){return Va("PMREMGGXConvolution",{envMap:{value:null},roughness:{value:0},lodBias:{value:0}},`

		#define GGX_SAMPLES ${Lg}u

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float lodBias;

		#include <common>

		// Van der Corput radical inverse
		float radicalInverse_VdC( uint bits ) {

			bits = ( bits << 16u ) | ( bits >> 16u );
			bits = ( ( bits & 0x55555555u ) << 1u ) | ( ( bits & 0xAAAAAAAAu ) >> 1u );
			bits = ( ( bits & 0x33333333u ) << 2u ) | ( ( bits & 0xCCCCCCCCu ) >> 2u );
			bits = ( ( bits & 0x0F0F0F0Fu ) << 4u ) | ( ( bits & 0xF0F0F0F0u ) >> 4u );
			bits = ( ( bits & 0x00FF00FFu ) << 8u ) | ( ( bits & 0xFF00FF00u ) >> 8u );
			return float( bits ) * 2.3283064365386963e-10; // / 0x100000000

		}

		// Hammersley sequence
		vec2 hammersley( uint i, uint N ) {

			return vec2( float( i ) / float( N ), radicalInverse_VdC( i ) );

		}

		void main() {

			vec3 N = normalize( vWorldDirection );

			// For very low roughness, just sample the environment directly
			if ( roughness < 0.001 ) {

				gl_FragColor = vec4( textureLod( envMap, N, 0.0 ).rgb, 1.0 );
				return;

			}

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			// Tangent space basis for VNDF sampling
			vec3 up = abs( N.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, N ) );
			vec3 bitangent = cross( N, tangent );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			for ( uint i = 0u; i < GGX_SAMPLES; i ++ ) {

				vec2 Xi = hammersley( i, GGX_SAMPLES );

				// With V = N, sample the reflected direction directly.
				float invQ = 1.0 / ( 1.0 - Xi.x + alpha2 * Xi.x );
				float NdotL = ( 1.0 - Xi.x - alpha2 * Xi.x ) * invQ;

				if ( NdotL > 0.0 ) {

					float phi = 2.0 * PI * Xi.y;
					float sinTheta = 2.0 * alpha * sqrt( Xi.x * ( 1.0 - Xi.x ) ) * invQ;
					vec3 L = N * NdotL + ( tangent * cos( phi ) + bitangent * sin( phi ) ) * sinTheta;

					// Match the source mip to the sample's solid angle. The terms
					// independent of the sample are precomputed in lodBias.
					float d = alpha2 * invQ;
					float lod = max( log2( d ) + lodBias, 0.0 );

					// Weight by NdotL for the split-sum approximation
					prefilteredColor += textureLod( envMap, L, lod ).rgb * NdotL;
					totalWeight += NdotL;

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function fS(){return Va("PMREMGGXIntegration",{envMap:{value:null},roughness:{value:0},sourceLod:{value:0},sourceSize:{value:Ng}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float sourceLod;
		uniform int sourceSize;

		void main() {

			vec3 N = normalize( vWorldDirection );

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			float texelSize = 2.0 / float( sourceSize );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			// Pair opposite texels: only the one in N's hemisphere contributes.
			for ( int face = 0; face < 3; face ++ ) {

				for ( int y = 0; y < sourceSize; y ++ ) {

					for ( int x = 0; x < sourceSize; x ++ ) {

						vec2 uv = ( vec2( x, y ) + 0.5 ) * texelSize - 1.0;
						vec3 texelDirection = face == 0 ? vec3( 1.0, uv ) : ( face == 1 ? vec3( uv.x, 1.0, uv.y ) : vec3( uv, 1.0 ) );

						float invDistance = inversesqrt( 1.0 + dot( uv, uv ) );
						float NdotL = dot( N, texelDirection );
						texelDirection *= NdotL < 0.0 ? - 1.0 : 1.0;
						NdotL = abs( NdotL ) * invDistance;

						// With V = N, NdotH squared is ( 1 + NdotL ) / 2. Common factors
						// in the GGX distribution and texel solid angle cancel when normalized.
						float d = 1.0 + alpha2 + ( alpha2 - 1.0 ) * NdotL;
						float weight = NdotL * invDistance * invDistance * invDistance / ( d * d );

						prefilteredColor += textureLod( envMap, texelDirection, sourceLod ).rgb * weight;
						totalWeight += weight;

					}

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function pS(){return Va("PMREMSphericalGaussianBlur",{envMap:{value:null},sigma:{value:0}},`

		#define SAMPLES ${lS}
		#define GOLDEN_ANGLE 2.39996322973

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float sigma;

		#include <common>

		void main() {

			vec3 outputDirection = normalize( vWorldDirection );

			vec3 up = abs( outputDirection.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, outputDirection ) );
			vec3 bitangent = cross( outputDirection, tangent );

			// Truncate the kernel at three standard deviations or at the antipode.
			float thetaMax = min( 3.0 * sigma, PI );
			float truncation = 1.0 - exp( - 0.5 * thetaMax * thetaMax / ( sigma * sigma ) );

			vec3 accumColor = vec3( 0.0 );
			float accumWeight = 0.0;

			for ( int i = 0; i < SAMPLES; i ++ ) {

				// Stratified inverse-CDF sampling of the Gaussian, placed on a golden-angle spiral.
				float stratum = ( float( i ) + 0.5 ) / float( SAMPLES );
				float theta = sigma * sqrt( - 2.0 * log( 1.0 - stratum * truncation ) );
				float phi = float( i ) * GOLDEN_ANGLE;

				vec3 offset = cos( phi ) * tangent + sin( phi ) * bitangent;
				vec3 sampleDirection = cos( theta ) * outputDirection + sin( theta ) * offset;

				// Correct the planar sample density to solid angle.
				float weight = sin( theta ) / theta;

				accumColor += weight * textureLod( envMap, sampleDirection, 0.0 ).rgb;
				accumWeight += weight;

			}

			gl_FragColor = vec4( accumColor / accumWeight, 1.0 );

		}
	`)}function ug(){return Va("PMREMEquirectangularToCubemap",{envMap:{value:null}},`

		varying vec3 vWorldDirection;

		uniform sampler2D envMap;

		#include <common>

		void main() {

			// Average four subpixel samples to preserve small, bright features.
			vec3 direction = normalize( vWorldDirection );
			vec3 dx = dFdx( direction ) * 0.25;
			vec3 dy = dFdy( direction ) * 0.25;

			vec3 color = textureLod( envMap, equirectUv( normalize( direction - dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction - dx + dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx + dy ) ), 0.0 ).rgb;
			gl_FragColor = vec4( color * 0.25, 1.0 );

		}
	`)}function dg(){return Va("PMREMCubemapToCubemap",{envMap:{value:null},flipEnvMap:{value:-1}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float flipEnvMap;

		void main() {

			gl_FragColor = vec4( textureCube( envMap, vec3( flipEnvMap * vWorldDirection.x, vWorldDirection.yz ) ).rgb, 1.0 );

		}
	`)}function mS(i){let t=new WeakMap,e=new WeakMap,n=null;function s(h,f=!1){return h==null?null:f?o(h):r(h)}function r(h){if(h&&h.isTexture){let f=h.mapping;if(f===xc||f===vc)if(t.has(h)){let p=t.get(h).texture;return a(p,h.mapping)}else{let p=h.image;if(p&&p.height>0){let v=new za(p.height);return v.fromEquirectangularTexture(i,h),t.set(h,v),h.addEventListener("dispose",l),a(v.texture,h.mapping)}else return null}}return h}function o(h){if(h&&h.isTexture&&h.isPMREMTexture!==!0){let f=h.mapping,p=f===xc||f===vc,v=f===xr||f===So;if(p||v){let m=e.get(h),g=m!==void 0?m.texture.pmremVersion:0;if(h.isRenderTargetTexture&&h.pmremVersion!==g)return n===null&&(n=new ah(i)),m=p?n.fromEquirectangular(h,m):n.fromCubemap(h,m),m.texture.pmremVersion=h.pmremVersion,e.set(h,m),m.texture;if(m!==void 0)return m.texture;{let y=h.image;return p&&y&&y.height>0||v&&y&&c(y)?(n===null&&(n=new ah(i)),m=p?n.fromEquirectangular(h):n.fromCubemap(h),m.texture.pmremVersion=h.pmremVersion,e.set(h,m),h.addEventListener("dispose",u),m.texture):null}}}return h}function a(h,f){return f===xc?h.mapping=xr:f===vc&&(h.mapping=So),h}function c(h){let f=0,p=6;for(let v=0;v<p;v++)h[v]!==void 0&&f++;return f===p}function l(h){let f=h.target;f.removeEventListener("dispose",l);let p=t.get(f);p!==void 0&&(t.delete(f),p.dispose())}function u(h){let f=h.target;f.removeEventListener("dispose",u);let p=e.get(f);p!==void 0&&(e.delete(f),p.dispose())}function d(){t=new WeakMap,e=new WeakMap,n!==null&&(n.dispose(),n=null)}return{get:s,dispose:d}}function gS(i){let t={};function e(n){if(t[n]!==void 0)return t[n];let s=i.getExtension(n);return t[n]=s,s}return{has:function(n){return e(n)!==null},init:function(){e("EXT_color_buffer_float"),e("WEBGL_clip_cull_distance"),e("OES_texture_float_linear"),e("EXT_color_buffer_half_float"),e("WEBGL_multisampled_render_to_texture"),e("WEBGL_render_shared_exponent")},get:function(n){let s=e(n);return s===null&&ia("WebGLRenderer: "+n+" extension not supported."),s}}}function _S(i,t,e,n){let s={},r=new WeakMap,o=new FinalizationRegistry(p=>delete s[p]);function a(p){c(p.target)}function c(p){p.index!==null&&t.remove(p.index);for(let m in p.attributes)t.remove(p.attributes[m]);p.removeEventListener("dispose",a),delete s[p.id],o.unregister(p);let v=r.get(p);v&&(t.remove(v),r.delete(p)),n.releaseStatesOfGeometry(p),p.isInstancedBufferGeometry===!0&&delete p._maxInstanceCount,e.memory.geometries--}function l(p,v){return s[v.id]!==void 0||(v.addEventListener("dispose",a),s[v.id]=new WeakRef(v),o.register(v,v.id,v),e.memory.geometries++),v}function u(p){let v=p.attributes;for(let m in v)t.update(v[m],i.ARRAY_BUFFER)}function d(p){let v=p.index,m=p.attributes.position,g=0;if(m===void 0)return;let y=v!==null?v.array.length:m.array.length/3-1,A=m.count>=65535?fa:da,w=new A(Math.ceil(y/3)*6,1),P=w.array;if(v!==null){let x=v.array;g=v.version;for(let T=0,k=0;T<y;T+=3){let U=x[T+0],N=x[T+1],z=x[T+2];P[k++]=U,P[k++]=N,P[k++]=N,P[k++]=z,P[k++]=z,P[k++]=U}}else{g=m.version;for(let x=0,T=0;x<y;x+=3){let k=x+0,U=x+1,N=x+2;P[T++]=k,P[T++]=U,P[T++]=U,P[T++]=N,P[T++]=N,P[T++]=k}}w.version=g;let E=r.get(p);E&&t.remove(E),r.set(p,w)}function h(p){let v=r.get(p);if(v){let m=p.index;m!==null&&v.version<m.version&&d(p)}else d(p);return r.get(p)}function f(){for(let p in s){let v=s[p].deref();v!==void 0&&c(v)}}return{get:l,update:u,getWireframeAttribute:h,dispose:f}}function xS(i,t,e){let n;function s(d){n=d}let r,o;function a(d){r=d.type,o=d.bytesPerElement}function c(d,h){i.drawElements(n,h,r,d*o),e.update(h,n,1)}function l(d,h,f){f!==0&&(i.drawElementsInstanced(n,h,r,d*o,f),e.update(h,n,f))}function u(d,h,f){if(f===0)return;t.get("WEBGL_multi_draw").multiDrawElementsWEBGL(n,h,0,r,d,0,f);let v=0;for(let m=0;m<f;m++)v+=h[m];e.update(v,n,1)}this.setMode=s,this.setIndex=a,this.render=c,this.renderInstances=l,this.renderMultiDraw=u}function vS(i){let t={geometries:0,textures:0},e={frame:0,calls:0,triangles:0,points:0,lines:0};function n(r,o,a){switch(e.calls++,o){case i.TRIANGLES:e.triangles+=a*(r/3);break;case i.LINES:e.lines+=a*(r/2);break;case i.LINE_STRIP:e.lines+=a*(r-1);break;case i.LINE_LOOP:e.lines+=a*r;break;case i.POINTS:e.points+=a*r;break;default:Qt("WebGLInfo: Unknown draw mode:",o);break}}function s(){e.calls=0,e.triangles=0,e.points=0,e.lines=0}return{memory:t,render:e,programs:null,autoReset:!0,reset:s,update:n}}function yS(i,t,e){let n=new WeakMap,s=new Ye;function r(o,a,c){let l=o.morphTargetInfluences,u=a.morphAttributes.position||a.morphAttributes.normal||a.morphAttributes.color,d=u!==void 0?u.length:0,h=n.get(a);if(h===void 0||h.count!==d){let k=function(){x.dispose(),n.delete(a),a.removeEventListener("dispose",k)};h!==void 0&&h.texture.dispose();let f=a.morphAttributes.position!==void 0,p=a.morphAttributes.normal!==void 0,v=a.morphAttributes.color!==void 0,m=a.morphAttributes.position||[],g=a.morphAttributes.normal||[],y=a.morphAttributes.color||[],A=0;f===!0&&(A=1),p===!0&&(A=2),v===!0&&(A=3);let w=a.attributes.position.count*A,P=1;w>t.maxTextureSize&&(P=Math.ceil(w/t.maxTextureSize),w=t.maxTextureSize);let E=new Float32Array(w*P*4*d),x=new ha(E,w,P,d);x.type=Si,x.needsUpdate=!0;let T=A*4;for(let U=0;U<d;U++){let N=m[U],z=g[U],H=y[U],L=w*P*4*U;for(let W=0;W<N.count;W++){let $=W*T;f===!0&&(s.fromBufferAttribute(N,W),E[L+$+0]=s.x,E[L+$+1]=s.y,E[L+$+2]=s.z,E[L+$+3]=0),p===!0&&(s.fromBufferAttribute(z,W),E[L+$+4]=s.x,E[L+$+5]=s.y,E[L+$+6]=s.z,E[L+$+7]=0),v===!0&&(s.fromBufferAttribute(H,W),E[L+$+8]=s.x,E[L+$+9]=s.y,E[L+$+10]=s.z,E[L+$+11]=H.itemSize===4?s.w:1)}}h={count:d,texture:x,size:new Kt(w,P)},n.set(a,h),a.addEventListener("dispose",k)}if(o.isInstancedMesh===!0&&o.morphTexture!==null)c.getUniforms().setValue(i,"morphTexture",o.morphTexture,e);else{let f=0;for(let v=0;v<l.length;v++)f+=l[v];let p=a.morphTargetsRelative?1:1-f;c.getUniforms().setValue(i,"morphTargetBaseInfluence",p),c.getUniforms().setValue(i,"morphTargetInfluences",l)}c.getUniforms().setValue(i,"morphTargetsTexture",h.texture,e),c.getUniforms().setValue(i,"morphTargetsTextureSize",h.size)}return{update:r}}function bS(i,t,e,n,s){let r=new WeakMap;function o(l){let u=s.render.frame,d=l.geometry,h=t.get(l,d);if(r.get(h)!==u&&(t.update(h),r.set(h,u)),l.isInstancedMesh&&(l.hasEventListener("dispose",c)===!1&&l.addEventListener("dispose",c),r.get(l)!==u&&(e.update(l.instanceMatrix,i.ARRAY_BUFFER),l.instanceColor!==null&&e.update(l.instanceColor,i.ARRAY_BUFFER),r.set(l,u))),l.isSkinnedMesh){let f=l.skeleton;r.get(f)!==u&&(f.update(),r.set(f,u))}return h}function a(){r=new WeakMap}function c(l){let u=l.target;u.removeEventListener("dispose",c),n.releaseStatesOfObject(u),e.remove(u.instanceMatrix),u.instanceColor!==null&&e.remove(u.instanceColor)}return{update:o,dispose:a}}var SS={[Yu]:"LINEAR_TONE_MAPPING",[$u]:"REINHARD_TONE_MAPPING",[Zu]:"CINEON_TONE_MAPPING",[Ju]:"ACES_FILMIC_TONE_MAPPING",[ju]:"AGX_TONE_MAPPING",[Qu]:"NEUTRAL_TONE_MAPPING",[Ku]:"CUSTOM_TONE_MAPPING"};function MS(i,t,e,n,s,r){let o=new di(t,e,{type:i,depthBuffer:s,stencilBuffer:r,samples:n?4:0,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,resolveDepthBuffer:!1,resolveStencilBuffer:!1}),a=null,c=null,l=null,u=new Kn;u.setAttribute("position",new tn([-1,3,0,-1,-1,0,3,-1,0],3)),u.setAttribute("uv",new tn([0,2,0,0,2,0],2));let d=new nc({uniforms:{tDiffuse:{value:null}},vertexShader:`
			precision highp float;

			uniform mat4 modelViewMatrix;
			uniform mat4 projectionMatrix;

			attribute vec3 position;
			attribute vec2 uv;

			varying vec2 vUv;

			void main() {
				vUv = uv;
				gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
			}`,fragmentShader:`
			precision highp float;

			uniform sampler2D tDiffuse;

			varying vec2 vUv;

			#include <tonemapping_pars_fragment>
			#include <colorspace_pars_fragment>

			void main() {
				gl_FragColor = texture2D( tDiffuse, vUv );

				#ifdef LINEAR_TONE_MAPPING
					gl_FragColor.rgb = LinearToneMapping( gl_FragColor.rgb );
				#elif defined( REINHARD_TONE_MAPPING )
					gl_FragColor.rgb = ReinhardToneMapping( gl_FragColor.rgb );
				#elif defined( CINEON_TONE_MAPPING )
					gl_FragColor.rgb = CineonToneMapping( gl_FragColor.rgb );
				#elif defined( ACES_FILMIC_TONE_MAPPING )
					gl_FragColor.rgb = ACESFilmicToneMapping( gl_FragColor.rgb );
				#elif defined( AGX_TONE_MAPPING )
					gl_FragColor.rgb = AgXToneMapping( gl_FragColor.rgb );
				#elif defined( NEUTRAL_TONE_MAPPING )
					gl_FragColor.rgb = NeutralToneMapping( gl_FragColor.rgb );
				#elif defined( CUSTOM_TONE_MAPPING )
					gl_FragColor.rgb = CustomToneMapping( gl_FragColor.rgb );
				#endif

				#ifdef SRGB_TRANSFER
					gl_FragColor = sRGBTransferOETF( gl_FragColor );
				#endif
			}`,depthTest:!1,depthWrite:!1}),h=new Yn(u,d),f=new Ta(-1,1,1,-1,0,1),p=null,v=null,m=!1,g,y=null,A=[],w=!1;this.setSize=function(P,E){o.setSize(P,E),a!==null&&a.setSize(P,E),c!==null&&c.setSize(P,E);for(let x=0;x<A.length;x++){let T=A[x];T.setSize&&T.setSize(P,E)}},this.setEffects=function(P){A=P,w=A.length>0&&A[0].isRenderPass===!0;let E=o.width,x=o.height;A.length>0&&a===null&&(a=new di(E,x,{type:Oi,depthBuffer:!1,stencilBuffer:!1}),c=new di(E,x,{type:Oi,depthBuffer:!1,stencilBuffer:!1}));let T=s===!0&&A.some(k=>k.needsDepthTexture===!0);T!==(o.depthTexture!==null)&&(T===!0&&l===null&&(l=new bs(E,x),r===!0&&(l.format=Ms,l.type=vr)),o.dispose(),o.depthTexture=T?l:null,o.resolveDepthBuffer=T,o.storeMultisampledDepthBuffer=T);for(let k=0;k<A.length;k++){let U=A[k];U.setSize&&U.setSize(E,x),T&&U.needsDepthTexture===!0&&U.setDepthTexture&&U.setDepthTexture(l)}},this.begin=function(P,E){if(m||P.toneMapping===Qi&&A.length===0)return!1;if(y=E,E!==null){let x=E.width,T=E.height;(o.width!==x||o.height!==T)&&this.setSize(x,T)}return w===!1&&P.setRenderTarget(o),g=P.toneMapping,P.toneMapping=Qi,!0},this.hasRenderPass=function(){return w},this.end=function(P,E){P.toneMapping=g,m=!0;let x=o,T=a;for(let k=0;k<A.length;k++){let U=A[k];U.enabled!==!1&&(U.render(P,T,x,E),U.needsSwap!==!1&&(x=T,T=T===a?c:a))}if(p!==P.outputColorSpace||v!==P.toneMapping){p=P.outputColorSpace,v=P.toneMapping,d.defines={},xe.getTransfer(p)===Ae&&(d.defines.SRGB_TRANSFER="");let k=SS[v];k&&(d.defines[k]=""),d.needsUpdate=!0}d.uniforms.tDiffuse.value=x.texture,P.setRenderTarget(y),P.render(h,f),y=null,m=!1},this.isCompositing=function(){return m},this.dispose=function(){o.dispose(),a!==null&&a.dispose(),c!==null&&c.dispose(),u.dispose(),d.dispose()}}var Dg=new Jn,Ug=new bs(1,1),Fg=new _a(1),Og=new ha,Bg=new Kl,kg=new ga,fg=[],pg=[],mg=new Float32Array(16),gg=new Float32Array(9),_g=new Float32Array(4);function Eo(i,t,e){let n=i[0];if(n<=0||n>0)return i;let s=t*e,r=fg[s];if(r===void 0&&(r=new Float32Array(s),fg[s]=r),t!==0){n.toArray(r,0);for(let o=1,a=0;o!==t;++o)a+=e,i[o].toArray(r,a)}return r}function _n(i,t){if(i.length!==t.length)return!1;for(let e=0,n=i.length;e<n;e++)if(i[e]!==t[e])return!1;return!0}function xn(i,t){for(let e=0,n=t.length;e<n;e++)i[e]=t[e]}function ch(i,t){let e=pg[t];e===void 0&&(e=new Int32Array(t),pg[t]=e);for(let n=0;n!==t;++n)e[n]=i.allocateTextureUnit();return e}function wS(i,t){let e=this.cache;e[0]!==t&&(i.uniform1f(this.addr,t),e[0]=t)}function TS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2f(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(_n(e,t))return;i.uniform2fv(this.addr,t),xn(e,t)}}function ES(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3f(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else if(t.r!==void 0)(e[0]!==t.r||e[1]!==t.g||e[2]!==t.b)&&(i.uniform3f(this.addr,t.r,t.g,t.b),e[0]=t.r,e[1]=t.g,e[2]=t.b);else{if(_n(e,t))return;i.uniform3fv(this.addr,t),xn(e,t)}}function AS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4f(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(_n(e,t))return;i.uniform4fv(this.addr,t),xn(e,t)}}function RS(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(_n(e,t))return;i.uniformMatrix2fv(this.addr,!1,t),xn(e,t)}else{if(_n(e,n))return;_g.set(n),i.uniformMatrix2fv(this.addr,!1,_g),xn(e,n)}}function CS(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(_n(e,t))return;i.uniformMatrix3fv(this.addr,!1,t),xn(e,t)}else{if(_n(e,n))return;gg.set(n),i.uniformMatrix3fv(this.addr,!1,gg),xn(e,n)}}function PS(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(_n(e,t))return;i.uniformMatrix4fv(this.addr,!1,t),xn(e,t)}else{if(_n(e,n))return;mg.set(n),i.uniformMatrix4fv(this.addr,!1,mg),xn(e,n)}}function IS(i,t){let e=this.cache;e[0]!==t&&(i.uniform1i(this.addr,t),e[0]=t)}function LS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2i(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(_n(e,t))return;i.uniform2iv(this.addr,t),xn(e,t)}}function NS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3i(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(_n(e,t))return;i.uniform3iv(this.addr,t),xn(e,t)}}function DS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4i(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(_n(e,t))return;i.uniform4iv(this.addr,t),xn(e,t)}}function US(i,t){let e=this.cache;e[0]!==t&&(i.uniform1ui(this.addr,t),e[0]=t)}function FS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2ui(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(_n(e,t))return;i.uniform2uiv(this.addr,t),xn(e,t)}}function OS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3ui(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(_n(e,t))return;i.uniform3uiv(this.addr,t),xn(e,t)}}function BS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4ui(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(_n(e,t))return;i.uniform4uiv(this.addr,t),xn(e,t)}}function hh(i){return i.version===0&&(i.compareFunction=cd,i.needsUpdate=!0),i}function kS(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_2D_SHADOW?r=hh(Ug):r=Dg,e.setTexture2D(t||r,s)}function zS(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTexture3D(t||Bg,s)}function VS(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_CUBE_SHADOW?r=hh(Fg):r=kg,e.setTextureCube(t||r,s)}function GS(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTexture2DArray(t||Og,s)}function HS(i){switch(i){case 5126:return wS;case 35664:return TS;case 35665:return ES;case 35666:return AS;case 35674:return RS;case 35675:return CS;case 35676:return PS;case 5124:case 35670:return IS;case 35667:case 35671:return LS;case 35668:case 35672:return NS;case 35669:case 35673:return DS;case 5125:return US;case 36294:return FS;case 36295:return OS;case 36296:return BS;case 35678:case 36198:case 36298:case 36306:case 35682:return kS;case 35679:case 36299:case 36307:return zS;case 35680:case 36300:case 36308:case 36293:return VS;case 36289:case 36303:case 36311:case 36292:return GS}}function WS(i,t){i.uniform1fv(this.addr,t)}function XS(i,t){let e=Eo(t,this.size,2);i.uniform2fv(this.addr,e)}function qS(i,t){let e=Eo(t,this.size,3);i.uniform3fv(this.addr,e)}function YS(i,t){let e=Eo(t,this.size,4);i.uniform4fv(this.addr,e)}function $S(i,t){let e=Eo(t,this.size,4);i.uniformMatrix2fv(this.addr,!1,e)}function ZS(i,t){let e=Eo(t,this.size,9);i.uniformMatrix3fv(this.addr,!1,e)}function JS(i,t){let e=Eo(t,this.size,16);i.uniformMatrix4fv(this.addr,!1,e)}function KS(i,t){i.uniform1iv(this.addr,t)}function jS(i,t){i.uniform2iv(this.addr,t)}function QS(i,t){i.uniform3iv(this.addr,t)}function tM(i,t){i.uniform4iv(this.addr,t)}function eM(i,t){i.uniform1uiv(this.addr,t)}function nM(i,t){i.uniform2uiv(this.addr,t)}function iM(i,t){i.uniform3uiv(this.addr,t)}function sM(i,t){i.uniform4uiv(this.addr,t)}function rM(i,t,e){let n=this.cache,s=t.length,r=ch(e,s);_n(n,r)||(i.uniform1iv(this.addr,r),xn(n,r));let o;this.type===i.SAMPLER_2D_SHADOW?o=hh(Ug):o=Dg;for(let a=0;a!==s;++a)e.setTexture2D(t[a]||o,r[a])}function oM(i,t,e){let n=this.cache,s=t.length,r=ch(e,s);_n(n,r)||(i.uniform1iv(this.addr,r),xn(n,r));for(let o=0;o!==s;++o)e.setTexture3D(t[o]||Bg,r[o])}function aM(i,t,e){let n=this.cache,s=t.length,r=ch(e,s);_n(n,r)||(i.uniform1iv(this.addr,r),xn(n,r));let o;this.type===i.SAMPLER_CUBE_SHADOW?o=hh(Fg):o=kg;for(let a=0;a!==s;++a)e.setTextureCube(t[a]||o,r[a])}function lM(i,t,e){let n=this.cache,s=t.length,r=ch(e,s);_n(n,r)||(i.uniform1iv(this.addr,r),xn(n,r));for(let o=0;o!==s;++o)e.setTexture2DArray(t[o]||Og,r[o])}function cM(i){switch(i){case 5126:return WS;case 35664:return XS;case 35665:return qS;case 35666:return YS;case 35674:return $S;case 35675:return ZS;case 35676:return JS;case 5124:case 35670:return KS;case 35667:case 35671:return jS;case 35668:case 35672:return QS;case 35669:case 35673:return tM;case 5125:return eM;case 36294:return nM;case 36295:return iM;case 36296:return sM;case 35678:case 36198:case 36298:case 36306:case 35682:return rM;case 35679:case 36299:case 36307:return oM;case 35680:case 36300:case 36308:case 36293:return aM;case 36289:case 36303:case 36311:case 36292:return lM}}var Sd=class{constructor(t,e,n){this.id=t,this.addr=n,this.cache=[],this.type=e.type,this.setValue=HS(e.type)}},Md=class{constructor(t,e,n){this.id=t,this.addr=n,this.cache=[],this.type=e.type,this.size=e.size,this.setValue=cM(e.type)}},wd=class{constructor(t){this.id=t,this.seq=[],this.map={}}setValue(t,e,n){let s=this.seq;for(let r=0,o=s.length;r!==o;++r){let a=s[r];a.setValue(t,e[a.id],n)}}},yd=/(\w+)(\])?(\[|\.)?/g;function xg(i,t){i.seq.push(t),i.map[t.id]=t}function hM(i,t,e){let n=i.name,s=n.length;for(yd.lastIndex=0;;){let r=yd.exec(n),o=yd.lastIndex,a=r[1],c=r[2]==="]",l=r[3];if(c&&(a=a|0),l===void 0||l==="["&&o+2===s){xg(e,l===void 0?new Sd(a,i,t):new Md(a,i,t));break}else{let d=e.map[a];d===void 0&&(d=new wd(a),xg(e,d)),e=d}}}var To=class{constructor(t,e){this.seq=[],this.map={};let n=t.getProgramParameter(e,t.ACTIVE_UNIFORMS);for(let o=0;o<n;++o){let a=t.getActiveUniform(e,o),c=t.getUniformLocation(e,a.name);hM(a,c,this)}let s=[],r=[];for(let o of this.seq)o.type===t.SAMPLER_2D_SHADOW||o.type===t.SAMPLER_CUBE_SHADOW||o.type===t.SAMPLER_2D_ARRAY_SHADOW?s.push(o):r.push(o);s.length>0&&(this.seq=s.concat(r))}setValue(t,e,n,s){let r=this.map[e];r!==void 0&&r.setValue(t,n,s)}setOptional(t,e,n){let s=e[n];s!==void 0&&this.setValue(t,n,s)}static upload(t,e,n,s){for(let r=0,o=e.length;r!==o;++r){let a=e[r],c=n[a.id];c.needsUpdate!==!1&&a.setValue(t,c.value,s)}}static seqWithValue(t,e){let n=[];for(let s=0,r=t.length;s!==r;++s){let o=t[s];o.id in e&&n.push(o)}return n}};function vg(i,t,e){let n=i.createShader(t);return i.shaderSource(n,e),i.compileShader(n),n}var uM=37297,dM=0;function fM(i,t){let e=i.split(`
`),n=[],s=Math.max(t-6,0),r=Math.min(t+6,e.length);for(let o=s;o<r;o++){let a=o+1;n.push(`${a===t?">":" "} ${a}: ${e[o]}`)}return n.join(`
`)}var yg=new te;function pM(i){xe._getMatrix(yg,xe.workingColorSpace,i);let t=`mat3( ${yg.elements.map(e=>e.toFixed(4))} )`;switch(xe.getTransfer(i)){case la:return[t,"LinearTransferOETF"];case Ae:return[t,"sRGBTransferOETF"];default:return qt("WebGLProgram: Unsupported color space: ",i),[t,"LinearTransferOETF"]}}function bg(i,t,e){let n=i.getShaderParameter(t,i.COMPILE_STATUS),r=(i.getShaderInfoLog(t)||"").trim();if(n&&r==="")return"";let o=/ERROR: 0:(\d+)/.exec(r);if(o){let a=parseInt(o[1]);return e.toUpperCase()+`

`+r+`

`+fM(i.getShaderSource(t),a)}else return r}function mM(i,t){let e=pM(t);return[`vec4 ${i}( vec4 value ) {`,`	return ${e[1]}( vec4( ${e[0]} * value.rgb, value.a ) );`,"}"].join(`
`)}var gM={[Yu]:"Linear",[$u]:"Reinhard",[Zu]:"Cineon",[Ju]:"ACESFilmic",[ju]:"AgX",[Qu]:"Neutral",[Ku]:"Custom"};function _M(i,t){let e=gM[t];return e===void 0?(qt("WebGLProgram: Unsupported toneMapping:",t),"vec3 "+i+"( vec3 color ) { return LinearToneMapping( color ); }"):"vec3 "+i+"( vec3 color ) { return "+e+"ToneMapping( color ); }"}var oh=new X;function xM(){xe.getLuminanceCoefficients(oh);let i=oh.x.toFixed(4),t=oh.y.toFixed(4),e=oh.z.toFixed(4);return["float luminance( const in vec3 rgb ) {",`	const vec3 weights = vec3( ${i}, ${t}, ${e} );`,"	return dot( weights, rgb );","}"].join(`
`)}function vM(i){return[i.extensionClipCullDistance?"#extension GL_ANGLE_clip_cull_distance : require":"",i.extensionMultiDraw?"#extension GL_ANGLE_multi_draw : require":""].filter(ka).join(`
`)}function yM(i){let t=[];for(let e in i){let n=i[e];n!==!1&&t.push("#define "+e+" "+n)}return t.join(`
`)}function bM(i,t){let e={},n=i.getProgramParameter(t,i.ACTIVE_ATTRIBUTES);for(let s=0;s<n;s++){let r=i.getActiveAttrib(t,s),o=r.name,a=1;r.type===i.FLOAT_MAT2&&(a=2),r.type===i.FLOAT_MAT3&&(a=3),r.type===i.FLOAT_MAT4&&(a=4),e[o]={type:r.type,location:i.getAttribLocation(t,o),locationSize:a}}return e}function ka(i){return i!==""}function Sg(i,t){let e=t.numSpotLightShadows+t.numSpotLightMaps-t.numSpotLightShadowsWithMaps;return i.replace(/NUM_SUN_LIGHTS/g,t.numSunLights).replace(/NUM_DIR_LIGHTS/g,t.numDirLights).replace(/NUM_SPOT_LIGHTS/g,t.numSpotLights).replace(/NUM_SPOT_LIGHT_MAPS/g,t.numSpotLightMaps).replace(/NUM_SPOT_LIGHT_COORDS/g,e).replace(/NUM_RECT_AREA_LIGHTS/g,t.numRectAreaLights).replace(/NUM_POINT_LIGHTS/g,t.numPointLights).replace(/NUM_HEMI_LIGHTS/g,t.numHemiLights).replace(/NUM_SUN_LIGHT_SHADOWS/g,t.numSunLightShadows).replace(/NUM_DIR_LIGHT_SHADOWS/g,t.numDirLightShadows).replace(/NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS/g,t.numSpotLightShadowsWithMaps).replace(/NUM_SPOT_LIGHT_SHADOWS/g,t.numSpotLightShadows).replace(/NUM_POINT_LIGHT_SHADOWS/g,t.numPointLightShadows).replace(/NUM_LIGHT_PROBE_GRIDS/g,t.numLightProbeGrids)}function Mg(i,t){return i.replace(/NUM_CLIPPING_PLANES/g,t.numClippingPlanes).replace(/UNION_CLIPPING_PLANES/g,t.numClippingPlanes-t.numClipIntersection)}var SM=/^[ \t]*#include +<([\w\d./]+)>/gm;function Td(i){return i.replace(SM,MM)}function MM(i,t){let e=he[t];if(e===void 0)throw new Error("THREE.WebGLProgram: Can not resolve #include <"+t+">");return Td(e)}var wM=/#pragma unroll_loop_start\s+for\s*\(\s*int\s+i\s*=\s*(\d+)\s*;\s*i\s*<\s*(\d+)\s*;\s*i\s*\+\+\s*\)\s*{([\s\S]+?)}\s+#pragma unroll_loop_end/g;function wg(i){return i.replace(wM,TM)}function TM(i,t,e,n){let s="";for(let r=parseInt(t);r<parseInt(e);r++)s+=n.replace(/\[\s*i\s*\]/g,"[ "+r+" ]").replace(/UNROLLED_LOOP_INDEX/g,r);return s}function Tg(i){let t=`precision ${i.precision} float;
	precision ${i.precision} int;
	precision ${i.precision} sampler2D;
	precision ${i.precision} samplerCube;
	precision ${i.precision} sampler3D;
	precision ${i.precision} sampler2DArray;
	precision ${i.precision} sampler2DShadow;
	precision ${i.precision} samplerCubeShadow;
	precision ${i.precision} sampler2DArrayShadow;
	precision ${i.precision} isampler2D;
	precision ${i.precision} isampler3D;
	precision ${i.precision} isamplerCube;
	precision ${i.precision} isampler2DArray;
	precision ${i.precision} usampler2D;
	precision ${i.precision} usampler3D;
	precision ${i.precision} usamplerCube;
	precision ${i.precision} usampler2DArray;
	`;return i.precision==="highp"?t+=`
#define HIGH_PRECISION`:i.precision==="mediump"?t+=`
#define MEDIUM_PRECISION`:i.precision==="lowp"&&(t+=`
#define LOW_PRECISION`),t}var EM={[Pa]:"SHADOWMAP_TYPE_PCF",[yo]:"SHADOWMAP_TYPE_VSM"};function AM(i){return EM[i.shadowMapType]||"SHADOWMAP_TYPE_BASIC"}var RM={[So]:"ENVMAP_MODE_REFRACTION"};function CM(i){return i.envMap===!1?"ENVMAP_MODE_REFLECTION":RM[i.envMapMode]||"ENVMAP_MODE_REFLECTION"}var PM={[_c]:"ENVMAP_BLENDING_MULTIPLY",[Vm]:"ENVMAP_BLENDING_MIX",[Gm]:"ENVMAP_BLENDING_ADD"};function IM(i){return i.envMap===!1?"ENVMAP_BLENDING_NONE":PM[i.combine]||"ENVMAP_BLENDING_NONE"}function LM(i,t,e,n){let s=i.getContext(),r=e.defines,o=e.vertexShader,a=e.fragmentShader,c=AM(e),l=e.envMapPMREM===!0?"ENVMAP_TYPE_PMREM":"ENVMAP_TYPE_CUBE",u=CM(e),d=IM(e),h=vM(e),f=yM(r),p=s.createProgram(),v,m,g=e.glslVersion?"#version "+e.glslVersion+`
`:"";e.isRawShaderMaterial?(v=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,f].filter(ka).join(`
`),v.length>0&&(v+=`
`),m=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,f].filter(ka).join(`
`),m.length>0&&(m+=`
`)):(v=[Tg(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,f,e.extensionClipCullDistance?"#define USE_CLIP_DISTANCE":"",e.batching?"#define USE_BATCHING":"",e.batchingColor?"#define USE_BATCHING_COLOR":"",e.instancing?"#define USE_INSTANCING":"",e.instancingColor?"#define USE_INSTANCING_COLOR":"",e.instancingMorph?"#define USE_INSTANCING_MORPH":"",e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.map?"#define USE_MAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+u:"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.displacementMap?"#define USE_DISPLACEMENTMAP":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.mapUv?"#define MAP_UV "+e.mapUv:"",e.alphaMapUv?"#define ALPHAMAP_UV "+e.alphaMapUv:"",e.lightMapUv?"#define LIGHTMAP_UV "+e.lightMapUv:"",e.aoMapUv?"#define AOMAP_UV "+e.aoMapUv:"",e.emissiveMapUv?"#define EMISSIVEMAP_UV "+e.emissiveMapUv:"",e.bumpMapUv?"#define BUMPMAP_UV "+e.bumpMapUv:"",e.normalMapUv?"#define NORMALMAP_UV "+e.normalMapUv:"",e.displacementMapUv?"#define DISPLACEMENTMAP_UV "+e.displacementMapUv:"",e.metalnessMapUv?"#define METALNESSMAP_UV "+e.metalnessMapUv:"",e.roughnessMapUv?"#define ROUGHNESSMAP_UV "+e.roughnessMapUv:"",e.anisotropyMapUv?"#define ANISOTROPYMAP_UV "+e.anisotropyMapUv:"",e.clearcoatMapUv?"#define CLEARCOATMAP_UV "+e.clearcoatMapUv:"",e.clearcoatNormalMapUv?"#define CLEARCOAT_NORMALMAP_UV "+e.clearcoatNormalMapUv:"",e.clearcoatRoughnessMapUv?"#define CLEARCOAT_ROUGHNESSMAP_UV "+e.clearcoatRoughnessMapUv:"",e.diffuseRoughnessMapUv?"#define DIFFUSE_ROUGHNESSMAP_UV "+e.diffuseRoughnessMapUv:"",e.iridescenceMapUv?"#define IRIDESCENCEMAP_UV "+e.iridescenceMapUv:"",e.iridescenceThicknessMapUv?"#define IRIDESCENCE_THICKNESSMAP_UV "+e.iridescenceThicknessMapUv:"",e.sheenColorMapUv?"#define SHEEN_COLORMAP_UV "+e.sheenColorMapUv:"",e.sheenRoughnessMapUv?"#define SHEEN_ROUGHNESSMAP_UV "+e.sheenRoughnessMapUv:"",e.specularMapUv?"#define SPECULARMAP_UV "+e.specularMapUv:"",e.specularColorMapUv?"#define SPECULAR_COLORMAP_UV "+e.specularColorMapUv:"",e.specularIntensityMapUv?"#define SPECULAR_INTENSITYMAP_UV "+e.specularIntensityMapUv:"",e.transmissionMapUv?"#define TRANSMISSIONMAP_UV "+e.transmissionMapUv:"",e.thicknessMapUv?"#define THICKNESSMAP_UV "+e.thicknessMapUv:"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexNormals?"#define HAS_NORMAL":"",e.vertexColors?"#define USE_COLOR":"",e.vertexAlphas?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.flatShading?"#define FLAT_SHADED":"",e.skinning?"#define USE_SKINNING":"",e.morphTargets?"#define USE_MORPHTARGETS":"",e.morphNormals&&e.flatShading===!1?"#define USE_MORPHNORMALS":"",e.morphColors?"#define USE_MORPHCOLORS":"",e.morphTargetsCount>0?"#define MORPHTARGETS_TEXTURE_STRIDE "+e.morphTextureStride:"",e.morphTargetsCount>0?"#define MORPHTARGETS_COUNT "+e.morphTargetsCount:"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+c:"",e.sizeAttenuation?"#define USE_SIZEATTENUATION":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",e.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 modelMatrix;","uniform mat4 modelViewMatrix;","uniform mat4 projectionMatrix;","uniform mat4 viewMatrix;","uniform mat3 normalMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;","#ifdef USE_INSTANCING","	attribute mat4 instanceMatrix;","#endif","#ifdef USE_INSTANCING_COLOR","	attribute vec3 instanceColor;","#endif","#ifdef USE_INSTANCING_MORPH","	uniform sampler2D morphTexture;","#endif","attribute vec3 position;","attribute vec3 normal;","attribute vec2 uv;","#ifdef USE_UV1","	attribute vec2 uv1;","#endif","#ifdef USE_UV2","	attribute vec2 uv2;","#endif","#ifdef USE_UV3","	attribute vec2 uv3;","#endif","#ifdef USE_TANGENT","	attribute vec4 tangent;","#endif","#if defined( USE_COLOR_ALPHA )","	attribute vec4 color;","#elif defined( USE_COLOR )","	attribute vec3 color;","#endif","#ifdef USE_SKINNING","	attribute vec4 skinIndex;","	attribute vec4 skinWeight;","#endif",`
`].filter(ka).join(`
`),m=[Tg(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,f,e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.alphaToCoverage?"#define ALPHA_TO_COVERAGE":"",e.map?"#define USE_MAP":"",e.matcap?"#define USE_MATCAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+l:"",e.envMap?"#define "+u:"",e.envMap?"#define "+d:"",e.envMapPMREM?"#define ENVMAP_MAX_LOD "+e.envMapMaxLod+".0":"",e.envMapPMREM?"#define ENVMAP_SIZE "+e.envMapSize+".0":"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.packedNormalMap?"#define USE_PACKED_NORMALMAP":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoat?"#define USE_CLEARCOAT":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.diffuseRoughness?"#define USE_DIFFUSE_ROUGHNESS":"",e.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",e.dispersion?"#define USE_DISPERSION":"",e.retroreflection?"#define USE_RETROREFLECTION":"",e.iridescence?"#define USE_IRIDESCENCE":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaTest?"#define USE_ALPHATEST":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.sheen?"#define USE_SHEEN":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexColors||e.instancingColor?"#define USE_COLOR":"",e.vertexAlphas||e.batchingColor?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.gradientMap?"#define USE_GRADIENTMAP":"",e.flatShading?"#define FLAT_SHADED":"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+c:"",e.premultipliedAlpha?"#define PREMULTIPLIED_ALPHA":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.decodeVideoTexture?"#define DECODE_VIDEO_TEXTURE":"",e.decodeVideoTextureEmissive?"#define DECODE_VIDEO_TEXTURE_EMISSIVE":"",e.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",e.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 viewMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;",e.toneMapping!==Qi?"#define TONE_MAPPING":"",e.toneMapping!==Qi?he.tonemapping_pars_fragment:"",e.toneMapping!==Qi?_M("toneMapping",e.toneMapping):"",e.dithering?"#define DITHERING":"",e.opaque?"#define OPAQUE":"",he.colorspace_pars_fragment,mM("linearToOutputTexel",e.outputColorSpace),xM(),e.useDepthPacking?"#define DEPTH_PACKING "+e.depthPacking:"",`
`].filter(ka).join(`
`)),o=Td(o),o=Sg(o,e),o=Mg(o,e),a=Td(a),a=Sg(a,e),a=Mg(a,e),o=wg(o),a=wg(a),e.isRawShaderMaterial!==!0&&(g=`#version 300 es
`,v=[h,"#define attribute in","#define varying out","#define texture2D texture"].join(`
`)+`
`+v,m=["#define varying in",e.glslVersion===hd?"":"layout(location = 0) out highp vec4 pc_fragColor;",e.glslVersion===hd?"":"#define gl_FragColor pc_fragColor","#define gl_FragDepthEXT gl_FragDepth","#define texture2D texture","#define textureCube texture","#define texture2DProj textureProj","#define texture2DLodEXT textureLod","#define texture2DProjLodEXT textureProjLod","#define textureCubeLodEXT textureLod","#define texture2DGradEXT textureGrad","#define texture2DProjGradEXT textureProjGrad","#define textureCubeGradEXT textureGrad"].join(`
`)+`
`+m);let y=g+v+o,A=g+m+a,w=vg(s,s.VERTEX_SHADER,y),P=vg(s,s.FRAGMENT_SHADER,A);s.attachShader(p,w),s.attachShader(p,P),e.index0AttributeName!==void 0?s.bindAttribLocation(p,0,e.index0AttributeName):e.hasPositionAttribute===!0&&s.bindAttribLocation(p,0,"position"),s.linkProgram(p);function E(U){if(i.debug.checkShaderErrors){let N=s.getProgramInfoLog(p)||"",z=s.getShaderInfoLog(w)||"",H=s.getShaderInfoLog(P)||"",L=N.trim(),W=z.trim(),$=H.trim(),G=!0,ct=!0;if(s.getProgramParameter(p,s.LINK_STATUS)===!1)if(G=!1,typeof i.debug.onShaderError=="function")i.debug.onShaderError(s,p,w,P);else{let K=bg(s,w,"vertex"),Q=bg(s,P,"fragment");Qt("WebGLProgram: Shader Error "+s.getError()+" - VALIDATE_STATUS "+s.getProgramParameter(p,s.VALIDATE_STATUS)+`

Material Name: `+U.name+`
Material Type: `+U.type+`

Program Info Log: `+L+`
`+K+`
`+Q)}else L!==""?qt("WebGLProgram: Program Info Log:",L):(W===""||$==="")&&(ct=!1);ct&&(U.diagnostics={runnable:G,programLog:L,vertexShader:{log:W,prefix:v},fragmentShader:{log:$,prefix:m}})}s.deleteShader(w),s.deleteShader(P),x=new To(s,p),T=bM(s,p)}let x;this.getUniforms=function(){return x===void 0&&E(this),x};let T;this.getAttributes=function(){return T===void 0&&E(this),T};let k=e.rendererExtensionParallelShaderCompile===!1;return this.isReady=function(){return k===!1&&(k=s.getProgramParameter(p,uM)),k},this.destroy=function(){n.releaseStatesOfProgram(this),s.deleteProgram(p),this.program=void 0},this.type=e.shaderType,this.name=e.shaderName,this.id=dM++,this.cacheKey=t,this.usedTimes=1,this.program=p,this.vertexShader=w,this.fragmentShader=P,this}var NM=0,Ed=class{constructor(){this.shaderCache=new Map,this.materialCache=new Map}update(t,e,n){let s=this._getShaderCacheForMaterial(t);return s.has(e)===!1&&(s.add(e),e.usedTimes++),s.has(n)===!1&&(s.add(n),n.usedTimes++),this}remove(t){let e=this.materialCache.get(t);for(let n of e)n.usedTimes--,n.usedTimes===0&&this.shaderCache.delete(n.code);return this.materialCache.delete(t),this}getVertexShaderStage(t){return this._getShaderStage(t.vertexShader)}getFragmentShaderStage(t){return this._getShaderStage(t.fragmentShader)}dispose(){this.shaderCache.clear(),this.materialCache.clear()}_getShaderCacheForMaterial(t){let e=this.materialCache,n=e.get(t);return n===void 0&&(n=new Set,e.set(t,n)),n}_getShaderStage(t){let e=this.shaderCache,n=e.get(t);return n===void 0&&(n=new Ad(t),e.set(t,n)),n}},Ad=class{constructor(t){this.id=NM++,this.code=t,this.usedTimes=0}};function DM(i){return i===Js||i===Fa||i===Oa}function UM(i,t,e,n,s,r){let o=new ua,a=new Ed,c=new Set,l=[],u=new Map,d=n.logarithmicDepthBuffer,h={MeshDepthMaterial:"depth",MeshDistanceMaterial:"distance",MeshNormalMaterial:"normal",MeshBasicMaterial:"basic",MeshLambertMaterial:"lambert",MeshPhongMaterial:"phong",MeshToonMaterial:"toon",MeshStandardMaterial:"physical",MeshPhysicalMaterial:"physical",MeshMatcapMaterial:"matcap",LineBasicMaterial:"basic",LineDashedMaterial:"dashed",PointsMaterial:"points",ShadowMaterial:"shadow",SpriteMaterial:"sprite"};function f(x){return c.add(x),x===0?"uv":`uv${x}`}function p(x,T,k,U,N,z){let H=U.fog,L=N.geometry,W=x.isMeshStandardMaterial||x.isMeshLambertMaterial||x.isMeshPhongMaterial?U.environment:null,$=x.isMeshStandardMaterial||x.isMeshLambertMaterial&&!x.envMap||x.isMeshPhongMaterial&&!x.envMap,G=t.get(x.envMap||W,$),ct=h[x.type],K=n.precision;x.precision!==null&&(K=n.getMaxPrecision(x.precision),K!==x.precision&&qt("WebGLProgram.getParameters:",x.precision,"not supported, using",K,"instead."));let Q=L.morphAttributes.position||L.morphAttributes.normal||L.morphAttributes.color,st=Q!==void 0?Q.length:0,dt=0;L.morphAttributes.position!==void 0&&(dt=1),L.morphAttributes.normal!==void 0&&(dt=2),L.morphAttributes.color!==void 0&&(dt=3);let ut,tt,mt,xt;if(ct){let Rt=es[ct];ut=Rt.vertexShader,tt=Rt.fragmentShader}else{ut=x.vertexShader,tt=x.fragmentShader;let Rt=a.getVertexShaderStage(x),ae=a.getFragmentShaderStage(x);a.update(x,Rt,ae),mt=Rt.id,xt=ae.id}let At=i.getRenderTarget(),St=i.state.buffers.depth.getReversed(),Ht=N.isInstancedMesh===!0,ie=N.isBatchedMesh===!0,Vt=!!x.map,ue=!!x.matcap,le=!!G,ee=le&&G.isPMREMTexture===!0,Xe=!!x.aoMap,Be=!!x.lightMap,sn=!!x.bumpMap&&x.wireframe===!1,Ie=!!x.normalMap,yn=!!x.displacementMap,ve=!!x.emissiveMap,dn=!!x.metalnessMap,Ze=!!x.roughnessMap,rn=x.anisotropy>0,O=x.clearcoat>0,Ct=x.diffuseRoughness>0,Yt=x.dispersion>0,se=x.retroreflectivity>0,Mt=x.iridescence>0,Ue=x.sheen>0,zt=x.transmission>0,Xt=rn&&!!x.anisotropyMap,R=O&&!!x.clearcoatMap,b=O&&!!x.clearcoatNormalMap,q=O&&!!x.clearcoatRoughnessMap,ht=Ct&&!!x.diffuseRoughnessMap,ot=Mt&&!!x.iridescenceMap,_t=Mt&&!!x.iridescenceThicknessMap,vt=Ue&&!!x.sheenColorMap,et=Ue&&!!x.sheenRoughnessMap,it=!!x.specularMap,pt=!!x.specularColorMap,F=!!x.specularIntensityMap,rt=zt&&!!x.transmissionMap,nt=zt&&!!x.thicknessMap,wt=!!x.gradientMap,gt=!!x.alphaMap,bt=x.alphaTest>0,Gt=!!x.alphaHash,Zt=!!x.extensions,lt=Qi;x.toneMapped&&(At===null||At.isXRRenderTarget===!0)&&(lt=i.toneMapping);let Ot=ee?G.isCompressedCubeTexture?G.image[0].mipmaps:G.mipmaps:null,Jt={shaderID:ct,shaderType:x.type,shaderName:x.name,vertexShader:ut,fragmentShader:tt,defines:x.defines,customVertexShaderID:mt,customFragmentShaderID:xt,isRawShaderMaterial:x.isRawShaderMaterial===!0,glslVersion:x.glslVersion,precision:K,batching:ie,batchingColor:ie&&N._colorsTexture!==null,instancing:Ht,instancingColor:Ht&&N.instanceColor!==null,instancingMorph:Ht&&N.morphTexture!==null,outputColorSpace:At===null?i.outputColorSpace:At.isXRRenderTarget===!0?At.texture.colorSpace:xe.workingColorSpace,alphaToCoverage:!!x.alphaToCoverage,map:Vt,matcap:ue,envMap:le,envMapMode:le&&G.mapping,envMapPMREM:ee,envMapMaxLod:ee?Ot.length-1:null,envMapSize:ee?Ot[0].width:null,aoMap:Xe,lightMap:Be,bumpMap:sn,normalMap:Ie,displacementMap:yn,emissiveMap:ve,normalMapObjectSpace:Ie&&x.normalMapType===Xm,normalMapTangentSpace:Ie&&x.normalMapType===sh,packedNormalMap:Ie&&x.normalMapType===sh&&DM(x.normalMap.format),metalnessMap:dn,roughnessMap:Ze,anisotropy:rn,anisotropyMap:Xt,clearcoat:O,clearcoatMap:R,clearcoatNormalMap:b,clearcoatRoughnessMap:q,diffuseRoughness:Ct,diffuseRoughnessMap:ht,dispersion:Yt,retroreflection:se,iridescence:Mt,iridescenceMap:ot,iridescenceThicknessMap:_t,sheen:Ue,sheenColorMap:vt,sheenRoughnessMap:et,specularMap:it,specularColorMap:pt,specularIntensityMap:F,transmission:zt,transmissionMap:rt,thicknessMap:nt,gradientMap:wt,opaque:x.transparent===!1&&x.blending===bo&&x.alphaToCoverage===!1,alphaMap:gt,alphaTest:bt,alphaHash:Gt,combine:x.combine,mapUv:Vt&&f(x.map.channel),aoMapUv:Xe&&f(x.aoMap.channel),lightMapUv:Be&&f(x.lightMap.channel),bumpMapUv:sn&&f(x.bumpMap.channel),normalMapUv:Ie&&f(x.normalMap.channel),displacementMapUv:yn&&f(x.displacementMap.channel),emissiveMapUv:ve&&f(x.emissiveMap.channel),metalnessMapUv:dn&&f(x.metalnessMap.channel),roughnessMapUv:Ze&&f(x.roughnessMap.channel),anisotropyMapUv:Xt&&f(x.anisotropyMap.channel),clearcoatMapUv:R&&f(x.clearcoatMap.channel),clearcoatNormalMapUv:b&&f(x.clearcoatNormalMap.channel),clearcoatRoughnessMapUv:q&&f(x.clearcoatRoughnessMap.channel),diffuseRoughnessMapUv:ht&&f(x.diffuseRoughnessMap.channel),iridescenceMapUv:ot&&f(x.iridescenceMap.channel),iridescenceThicknessMapUv:_t&&f(x.iridescenceThicknessMap.channel),sheenColorMapUv:vt&&f(x.sheenColorMap.channel),sheenRoughnessMapUv:et&&f(x.sheenRoughnessMap.channel),specularMapUv:it&&f(x.specularMap.channel),specularColorMapUv:pt&&f(x.specularColorMap.channel),specularIntensityMapUv:F&&f(x.specularIntensityMap.channel),transmissionMapUv:rt&&f(x.transmissionMap.channel),thicknessMapUv:nt&&f(x.thicknessMap.channel),alphaMapUv:gt&&f(x.alphaMap.channel),vertexTangents:!!L.attributes.tangent&&(Ie||rn),vertexNormals:!!L.attributes.normal,vertexColors:x.vertexColors,vertexAlphas:x.vertexColors===!0&&!!L.attributes.color&&L.attributes.color.itemSize===4,pointsUvs:N.isPoints===!0&&!!L.attributes.uv&&(Vt||gt),fog:!!H,useFog:x.fog===!0,fogExp2:!!H&&H.isFogExp2,flatShading:x.wireframe===!1&&(x.flatShading===!0||L.attributes.normal===void 0&&Ie===!1&&(x.isMeshLambertMaterial||x.isMeshPhongMaterial||x.isMeshStandardMaterial||x.isMeshPhysicalMaterial)),sizeAttenuation:x.sizeAttenuation===!0,logarithmicDepthBuffer:d,reversedDepthBuffer:St,skinning:N.isSkinnedMesh===!0,hasPositionAttribute:L.attributes.position!==void 0,morphTargets:L.morphAttributes.position!==void 0,morphNormals:L.morphAttributes.normal!==void 0,morphColors:L.morphAttributes.color!==void 0,morphTargetsCount:st,morphTextureStride:dt,numSunLights:T.sun.length,numDirLights:T.directional.length,numPointLights:T.point.length,numSpotLights:T.spot.length,numSpotLightMaps:T.spotLightMap.length,numRectAreaLights:T.rectArea.length,numHemiLights:T.hemi.length,numSunLightShadows:T.sunShadowMap.length,numDirLightShadows:T.directionalShadowMap.length,numPointLightShadows:T.pointShadowMap.length,numSpotLightShadows:T.spotShadowMap.length,numSpotLightShadowsWithMaps:T.numSpotLightShadowsWithMaps,numLightProbes:T.numLightProbes,numLightProbeGrids:z.filter(Rt=>Rt.texture!==null).length,numClippingPlanes:r.numPlanes,numClipIntersection:r.numIntersection,dithering:x.dithering,shadowMapEnabled:i.shadowMap.enabled&&k.length>0,shadowMapType:i.shadowMap.type,toneMapping:lt,decodeVideoTexture:Vt&&x.map.isVideoTexture===!0&&xe.getTransfer(x.map.colorSpace)===Ae,decodeVideoTextureEmissive:ve&&x.emissiveMap.isVideoTexture===!0&&xe.getTransfer(x.emissiveMap.colorSpace)===Ae,premultipliedAlpha:x.premultipliedAlpha,doubleSided:x.side===ji,flipSided:x.side===$n,useDepthPacking:x.depthPacking>=0,depthPacking:x.depthPacking||0,index0AttributeName:x.index0AttributeName,extensionClipCullDistance:Zt&&x.extensions.clipCullDistance===!0&&e.has("WEBGL_clip_cull_distance"),extensionMultiDraw:(Zt&&x.extensions.multiDraw===!0||ie)&&e.has("WEBGL_multi_draw"),rendererExtensionParallelShaderCompile:e.has("KHR_parallel_shader_compile"),customProgramCacheKey:x.customProgramCacheKey()};return Jt.vertexUv1s=c.has(1),Jt.vertexUv2s=c.has(2),Jt.vertexUv3s=c.has(3),c.clear(),Jt}function v(x){let T=[];if(x.shaderID?T.push(x.shaderID):(T.push(x.customVertexShaderID),T.push(x.customFragmentShaderID)),x.defines!==void 0)for(let k in x.defines)T.push(k),T.push(x.defines[k]);return x.isRawShaderMaterial===!1&&(m(T,x),g(T,x),T.push(i.outputColorSpace)),T.push(x.customProgramCacheKey),T.join()}function m(x,T){x.push(T.precision),x.push(T.outputColorSpace),x.push(T.envMapMode),x.push(T.envMapPMREM),x.push(T.envMapMaxLod),x.push(T.envMapSize),x.push(T.mapUv),x.push(T.alphaMapUv),x.push(T.lightMapUv),x.push(T.aoMapUv),x.push(T.bumpMapUv),x.push(T.normalMapUv),x.push(T.displacementMapUv),x.push(T.emissiveMapUv),x.push(T.metalnessMapUv),x.push(T.roughnessMapUv),x.push(T.anisotropyMapUv),x.push(T.clearcoatMapUv),x.push(T.clearcoatNormalMapUv),x.push(T.clearcoatRoughnessMapUv),x.push(T.diffuseRoughnessMapUv),x.push(T.iridescenceMapUv),x.push(T.iridescenceThicknessMapUv),x.push(T.sheenColorMapUv),x.push(T.sheenRoughnessMapUv),x.push(T.specularMapUv),x.push(T.specularColorMapUv),x.push(T.specularIntensityMapUv),x.push(T.transmissionMapUv),x.push(T.thicknessMapUv),x.push(T.combine),x.push(T.fogExp2),x.push(T.sizeAttenuation),x.push(T.morphTargetsCount),x.push(T.numSunLights),x.push(T.numDirLights),x.push(T.numPointLights),x.push(T.numSpotLights),x.push(T.numSpotLightMaps),x.push(T.numHemiLights),x.push(T.numRectAreaLights),x.push(T.numSunLightShadows),x.push(T.numDirLightShadows),x.push(T.numPointLightShadows),x.push(T.numSpotLightShadows),x.push(T.numSpotLightShadowsWithMaps),x.push(T.numLightProbes),x.push(T.numLightProbeGrids),x.push(T.shadowMapType),x.push(T.toneMapping),x.push(T.numClippingPlanes),x.push(T.numClipIntersection),x.push(T.depthPacking)}function g(x,T){o.disableAll(),T.instancing&&o.enable(0),T.instancingColor&&o.enable(1),T.instancingMorph&&o.enable(2),T.matcap&&o.enable(3),T.envMap&&o.enable(4),T.normalMapObjectSpace&&o.enable(5),T.normalMapTangentSpace&&o.enable(6),T.clearcoat&&o.enable(7),T.iridescence&&o.enable(8),T.alphaTest&&o.enable(9),T.vertexColors&&o.enable(10),T.vertexAlphas&&o.enable(11),T.vertexUv1s&&o.enable(12),T.vertexUv2s&&o.enable(13),T.vertexUv3s&&o.enable(14),T.vertexTangents&&o.enable(15),T.anisotropy&&o.enable(16),T.alphaHash&&o.enable(17),T.batching&&o.enable(18),T.dispersion&&o.enable(19),T.retroreflection&&o.enable(24),T.diffuseRoughness&&o.enable(25),T.batchingColor&&o.enable(20),T.gradientMap&&o.enable(21),T.packedNormalMap&&o.enable(22),T.vertexNormals&&o.enable(23),x.push(o.mask),o.disableAll(),T.fog&&o.enable(0),T.useFog&&o.enable(1),T.flatShading&&o.enable(2),T.logarithmicDepthBuffer&&o.enable(3),T.reversedDepthBuffer&&o.enable(4),T.skinning&&o.enable(5),T.morphTargets&&o.enable(6),T.morphNormals&&o.enable(7),T.morphColors&&o.enable(8),T.premultipliedAlpha&&o.enable(9),T.shadowMapEnabled&&o.enable(10),T.doubleSided&&o.enable(11),T.flipSided&&o.enable(12),T.useDepthPacking&&o.enable(13),T.dithering&&o.enable(14),T.transmission&&o.enable(15),T.sheen&&o.enable(16),T.opaque&&o.enable(17),T.pointsUvs&&o.enable(18),T.decodeVideoTexture&&o.enable(19),T.decodeVideoTextureEmissive&&o.enable(20),T.alphaToCoverage&&o.enable(21),T.numLightProbeGrids>0&&o.enable(22),T.hasPositionAttribute&&o.enable(23),x.push(o.mask)}function y(x){let T=h[x.type],k;if(T){let U=es[T];k=og.clone(U.uniforms)}else k=x.uniforms;return k}function A(x,T){let k=u.get(T);return k!==void 0?++k.usedTimes:(k=new LM(i,T,x,s),l.push(k),u.set(T,k)),k}function w(x){if(--x.usedTimes===0){let T=l.indexOf(x);l[T]=l[l.length-1],l.pop(),u.delete(x.cacheKey),x.destroy()}}function P(x){a.remove(x)}function E(){a.dispose()}return{getParameters:p,getProgramCacheKey:v,getUniforms:y,acquireProgram:A,releaseProgram:w,releaseShaderCache:P,programs:l,dispose:E}}function FM(){let i=new WeakMap;function t(o){return i.has(o)}function e(o){let a=i.get(o);return a===void 0&&(a={},i.set(o,a)),a}function n(o){i.delete(o)}function s(o,a,c){i.get(o)[a]=c}function r(){i=new WeakMap}return{has:t,get:e,remove:n,update:s,dispose:r}}function OM(i,t){return i.groupOrder!==t.groupOrder?i.groupOrder-t.groupOrder:i.renderOrder!==t.renderOrder?i.renderOrder-t.renderOrder:i.material.id!==t.material.id?i.material.id-t.material.id:i.materialVariant!==t.materialVariant?i.materialVariant-t.materialVariant:i.z!==t.z?i.z-t.z:i.id-t.id}function Eg(i,t){return i.groupOrder!==t.groupOrder?i.groupOrder-t.groupOrder:i.renderOrder!==t.renderOrder?i.renderOrder-t.renderOrder:i.z!==t.z?t.z-i.z:i.id-t.id}function Ag(){let i=[],t=0,e=[],n=[],s=[];function r(){t=0,e.length=0,n.length=0,s.length=0}function o(h){let f=0;return h.isInstancedMesh&&(f+=2),h.isSkinnedMesh&&(f+=1),f}function a(h,f,p,v,m,g){let y=i[t];return y===void 0?(y={id:h.id,object:h,geometry:f,material:p,materialVariant:o(h),groupOrder:v,renderOrder:h.renderOrder,z:m,group:g},i[t]=y):(y.id=h.id,y.object=h,y.geometry=f,y.material=p,y.materialVariant=o(h),y.groupOrder=v,y.renderOrder=h.renderOrder,y.z=m,y.group=g),t++,y}function c(h,f,p,v,m,g,y){y.reversedDepth===!0&&(m=-m);let A=a(h,f,p,v,m,g);p.transmission>0?n.push(A):p.transparent===!0?s.push(A):e.push(A)}function l(h,f,p,v,m,g){let y=a(h,f,p,v,m,g);p.transmission>0?n.unshift(y):p.transparent===!0?s.unshift(y):e.unshift(y)}function u(h,f){e.length>1&&e.sort(h||OM),n.length>1&&n.sort(f||Eg),s.length>1&&s.sort(f||Eg)}function d(){for(let h=t,f=i.length;h<f;h++){let p=i[h];if(p.id===null)break;p.id=null,p.object=null,p.geometry=null,p.material=null,p.group=null}}return{opaque:e,transmissive:n,transparent:s,init:r,push:c,unshift:l,finish:d,sort:u}}function BM(){let i=new WeakMap;function t(n,s){let r=i.get(n),o;return r===void 0?(o=new Ag,i.set(n,[o])):s>=r.length?(o=new Ag,r.push(o)):o=r[s],o}function e(){i=new WeakMap}return{get:t,dispose:e}}function kM(){let i={};return{get:function(t){if(i[t.id]!==void 0)return i[t.id];let e;switch(t.type){case"SunLight":case"DirectionalLight":e={direction:new X,color:new oe};break;case"SpotLight":e={position:new X,direction:new X,color:new oe,distance:0,coneCos:0,penumbraCos:0,decay:0};break;case"PointLight":e={position:new X,color:new oe,distance:0,decay:0};break;case"HemisphereLight":e={direction:new X,skyColor:new oe,groundColor:new oe};break;case"RectAreaLight":e={color:new oe,position:new X,halfWidth:new X,halfHeight:new X};break}return i[t.id]=e,e}}}function zM(){let i={};return{get:function(t){if(i[t.id]!==void 0)return i[t.id];let e;switch(t.type){case"SunLight":case"DirectionalLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new Kt};break;case"SpotLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new Kt};break;case"PointLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new Kt,shadowCameraNear:1,shadowCameraFar:1e3};break}return i[t.id]=e,e}}}var VM=0;function GM(i,t){return(t.castShadow?2:0)-(i.castShadow?2:0)+(t.map?1:0)-(i.map?1:0)}function HM(i){let t=new kM,e=zM(),n={version:0,hash:{sunLength:-1,directionalLength:-1,pointLength:-1,spotLength:-1,rectAreaLength:-1,hemiLength:-1,numSunShadows:-1,numDirectionalShadows:-1,numPointShadows:-1,numSpotShadows:-1,numSpotMaps:-1,numLightProbes:-1},ambient:[0,0,0],probe:[],sun:[],sunShadow:[],sunShadowMap:[],sunShadowMatrix:[],sunShadowCascade:[],directional:[],directionalShadow:[],directionalShadowMap:[],directionalShadowMatrix:[],spot:[],spotLightMap:[],spotShadow:[],spotShadowMap:[],spotLightMatrix:[],rectArea:[],rectAreaLTC1:null,rectAreaLTC2:null,point:[],pointShadow:[],pointShadowMap:[],pointShadowMatrix:[],hemi:[],numSpotLightShadowsWithMaps:0,numLightProbes:0};for(let l=0;l<9;l++)n.probe.push(new X);let s=new X,r=new Se,o=new Se;function a(l){let u=0,d=0,h=0;for(let z=0;z<9;z++)n.probe[z].set(0,0,0);let f=0,p=0,v=0,m=0,g=0,y=0,A=0,w=0,P=0,E=0,x=0,T=0,k=0,U=0;l.sort(GM);for(let z=0,H=l.length;z<H;z++){let L=l[z],W=L.color,$=L.intensity,G=L.distance,ct=null;if(L.shadow&&L.shadow.map&&(L.shadow.map.texture.format===Js?ct=L.shadow.map.texture:ct=L.shadow.map.depthTexture||L.shadow.map.texture),L.isAmbientLight)u+=W.r*$,d+=W.g*$,h+=W.b*$;else if(L.isLightProbe){for(let K=0;K<9;K++)n.probe[K].addScaledVector(L.sh.coefficients[K],$);U++}else if(L.isSunLight){let K=t.get(L);if(K.color.copy(L.color).multiplyScalar(L.intensity),L.castShadow){let Q=L.shadow,st=e.get(L);st.shadowIntensity=Q.intensity,st.shadowBias=Q.bias,st.shadowNormalBias=Q.normalBias,st.shadowRadius=Q.radius,st.shadowMapSize.copy(Q.mapSize).multiply(Q.getFrameExtents()),n.sunShadow[p]=st,n.sunShadowMap[p]=ct;let dt=Q.getViewportCount();for(let ut=0;ut<dt;ut++)n.sunShadowMatrix[v+ut]=Q.getMatrix(ut),n.sunShadowCascade[v+ut]=Q._cascadeData[ut];v+=dt,p++}n.sun[f]=K,f++}else if(L.isDirectionalLight){let K=t.get(L);if(K.color.copy(L.color).multiplyScalar(L.intensity),L.castShadow){let Q=L.shadow,st=e.get(L);st.shadowIntensity=Q.intensity,st.shadowBias=Q.bias,st.shadowNormalBias=Q.normalBias,st.shadowRadius=Q.radius,st.shadowMapSize=Q.mapSize,n.directionalShadow[m]=st,n.directionalShadowMap[m]=ct,n.directionalShadowMatrix[m]=L.shadow.matrix,P++}n.directional[m]=K,m++}else if(L.isSpotLight){let K=t.get(L);K.position.setFromMatrixPosition(L.matrixWorld),K.color.copy(W).multiplyScalar($),K.distance=G,K.coneCos=Math.cos(L.angle),K.penumbraCos=Math.cos(L.angle*(1-L.penumbra)),K.decay=L.decay,n.spot[y]=K;let Q=L.shadow;if(L.map&&(n.spotLightMap[T]=L.map,T++,Q.updateMatrices(L),L.castShadow&&k++),n.spotLightMatrix[y]=Q.matrix,L.castShadow){let st=e.get(L);st.shadowIntensity=Q.intensity,st.shadowBias=Q.bias,st.shadowNormalBias=Q.normalBias,st.shadowRadius=Q.radius,st.shadowMapSize=Q.mapSize,n.spotShadow[y]=st,n.spotShadowMap[y]=ct,x++}y++}else if(L.isRectAreaLight){let K=t.get(L);K.color.copy(W).multiplyScalar($),K.halfWidth.set(L.width*.5,0,0),K.halfHeight.set(0,L.height*.5,0),n.rectArea[A]=K,A++}else if(L.isPointLight){let K=t.get(L);if(K.color.copy(L.color).multiplyScalar(L.intensity),K.distance=L.distance,K.decay=L.decay,L.castShadow){let Q=L.shadow,st=e.get(L);st.shadowIntensity=Q.intensity,st.shadowBias=Q.bias,st.shadowNormalBias=Q.normalBias,st.shadowRadius=Q.radius,st.shadowMapSize=Q.mapSize,st.shadowCameraNear=Q.camera.near,st.shadowCameraFar=Q.camera.far,n.pointShadow[g]=st,n.pointShadowMap[g]=ct,n.pointShadowMatrix[g]=L.shadow.matrix,E++}n.point[g]=K,g++}else if(L.isHemisphereLight){let K=t.get(L);K.skyColor.copy(L.color).multiplyScalar($),K.groundColor.copy(L.groundColor).multiplyScalar($),n.hemi[w]=K,w++}}A>0&&(i.has("OES_texture_float_linear")===!0?(n.rectAreaLTC1=Lt.LTC_FLOAT_1,n.rectAreaLTC2=Lt.LTC_FLOAT_2):(n.rectAreaLTC1=Lt.LTC_HALF_1,n.rectAreaLTC2=Lt.LTC_HALF_2)),n.ambient[0]=u,n.ambient[1]=d,n.ambient[2]=h;let N=n.hash;(N.sunLength!==f||N.directionalLength!==m||N.pointLength!==g||N.spotLength!==y||N.rectAreaLength!==A||N.hemiLength!==w||N.numSunShadows!==p||N.numDirectionalShadows!==P||N.numPointShadows!==E||N.numSpotShadows!==x||N.numSpotMaps!==T||N.numLightProbes!==U)&&(n.sun.length=f,n.directional.length=m,n.spot.length=y,n.rectArea.length=A,n.point.length=g,n.hemi.length=w,n.sunShadow.length=p,n.sunShadowMap.length=p,n.sunShadowMatrix.length=v,n.sunShadowCascade.length=v,n.directionalShadow.length=P,n.directionalShadowMap.length=P,n.directionalShadowMatrix.length=P,n.pointShadow.length=E,n.pointShadowMap.length=E,n.pointShadowMatrix.length=E,n.spotShadow.length=x,n.spotShadowMap.length=x,n.spotLightMatrix.length=x+T-k,n.spotLightMap.length=T,n.numSpotLightShadowsWithMaps=k,n.numLightProbes=U,N.sunLength=f,N.directionalLength=m,N.pointLength=g,N.spotLength=y,N.rectAreaLength=A,N.hemiLength=w,N.numSunShadows=p,N.numDirectionalShadows=P,N.numPointShadows=E,N.numSpotShadows=x,N.numSpotMaps=T,N.numLightProbes=U,n.version=VM++)}function c(l,u){let d=0,h=0,f=0,p=0,v=0,m=0,g=u.matrixWorldInverse;for(let y=0,A=l.length;y<A;y++){let w=l[y];if(w.isSunLight){let P=n.sun[d];P.direction.setFromMatrixPosition(w.matrixWorld),P.direction.transformDirection(g),d++}else if(w.isDirectionalLight){let P=n.directional[h];P.direction.setFromMatrixPosition(w.matrixWorld),s.setFromMatrixPosition(w.target.matrixWorld),P.direction.sub(s),P.direction.transformDirection(g),h++}else if(w.isSpotLight){let P=n.spot[p];P.position.setFromMatrixPosition(w.matrixWorld),P.position.applyMatrix4(g),P.direction.setFromMatrixPosition(w.matrixWorld),s.setFromMatrixPosition(w.target.matrixWorld),P.direction.sub(s),P.direction.transformDirection(g),p++}else if(w.isRectAreaLight){let P=n.rectArea[v];P.position.setFromMatrixPosition(w.matrixWorld),P.position.applyMatrix4(g),o.identity(),r.copy(w.matrixWorld),r.premultiply(g),o.extractRotation(r),P.halfWidth.set(w.width*.5,0,0),P.halfHeight.set(0,w.height*.5,0),P.halfWidth.applyMatrix4(o),P.halfHeight.applyMatrix4(o),v++}else if(w.isPointLight){let P=n.point[f];P.position.setFromMatrixPosition(w.matrixWorld),P.position.applyMatrix4(g),f++}else if(w.isHemisphereLight){let P=n.hemi[m];P.direction.setFromMatrixPosition(w.matrixWorld),P.direction.transformDirection(g),m++}}}return{setup:a,setupView:c,state:n}}function Rg(i){let t=new HM(i),e=[],n=[],s=[];function r(d){u.camera=d,e.length=0,n.length=0,s.length=0}function o(d){d.isLightProbeGrid?s.push(d):e.push(d)}function a(d){n.push(d)}function c(){t.setup(e),s.sort((d,h)=>d.priority-h.priority||d.id-h.id)}function l(d){t.setupView(e,d)}let u={lightsArray:e,shadowsArray:n,lightProbeGridArray:s,camera:null,lights:t,transmissionRenderTarget:{},textureUnits:0};return{init:r,state:u,setupLights:c,setupLightsView:l,pushLight:o,pushShadow:a}}function WM(i){let t=new WeakMap;function e(s,r=0){let o=t.get(s),a;return o===void 0?(a=new Rg(i),t.set(s,[a])):r>=o.length?(a=new Rg(i),o.push(a)):a=o[r],a}function n(){t=new WeakMap}return{get:e,dispose:n}}var XM=`void main() {
	gl_Position = vec4( position, 1.0 );
}`,qM=`uniform sampler2D shadow_pass;
uniform vec2 resolution;
uniform float radius;
void main() {
	const float samples = float( VSM_SAMPLES );
	float mean = 0.0;
	float squared_mean = 0.0;
	float uvStride = samples <= 1.0 ? 0.0 : 2.0 / ( samples - 1.0 );
	float uvStart = samples <= 1.0 ? 0.0 : - 1.0;
	for ( float i = 0.0; i < samples; i ++ ) {
		float uvOffset = uvStart + i * uvStride;
		#ifdef HORIZONTAL_PASS
			vec2 distribution = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( uvOffset, 0.0 ) * radius ) / resolution ).rg;
			mean += distribution.x;
			squared_mean += distribution.y * distribution.y + distribution.x * distribution.x;
		#else
			float depth = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( 0.0, uvOffset ) * radius ) / resolution ).r;
			mean += depth;
			squared_mean += depth * depth;
		#endif
	}
	mean = mean / samples;
	squared_mean = squared_mean / samples;
	float std_dev = sqrt( max( 0.0, squared_mean - mean * mean ) );
	gl_FragColor = vec4( mean, std_dev, 0.0, 1.0 );
}`,YM=[new X(1,0,0),new X(-1,0,0),new X(0,1,0),new X(0,-1,0),new X(0,0,1),new X(0,0,-1)],$M=[new X(0,-1,0),new X(0,-1,0),new X(0,0,1),new X(0,0,-1),new X(0,-1,0),new X(0,-1,0)],Cg=new Se,Ba=new X,bd=new X;function ZM(i,t,e){let n=new Hs,s=new Kt,r=new Kt,o=new Ye,a=new ic,c=new sc,l={},u=e.maxTextureSize,d={[Zs]:$n,[$n]:Zs,[ji]:ji},h=new Ki({defines:{VSM_SAMPLES:8},uniforms:{shadow_pass:{value:null},resolution:{value:new Kt},radius:{value:4}},vertexShader:XM,fragmentShader:qM}),f=h.clone();f.defines.HORIZONTAL_PASS=1;let p=new Kn;p.setAttribute("position",new ui(new Float32Array([-1,-1,.5,3,-1,.5,-1,3,.5]),3));let v=new Yn(p,h),m=this;this.enabled=!1,this.autoUpdate=!0,this.needsUpdate=!1,this.type=Pa;let g=this.type;this.render=function(E,x,T){if(m.enabled===!1||m.autoUpdate===!1&&m.needsUpdate===!1||E.length===0)return;this.type===Sm&&(qt("WebGLShadowMap: PCFSoftShadowMap has been removed. Using PCFShadowMap instead."),this.type=Pa);let k=i.getRenderTarget(),U=i.getActiveCubeFace(),N=i.getActiveMipmapLevel(),z=i.state;z.setBlending(gr),z.buffers.depth.getReversed()===!0?z.buffers.color.setClear(0,0,0,0):z.buffers.color.setClear(1,1,1,1),z.buffers.depth.setTest(!0),z.setScissorTest(!1);let H=g!==this.type;H&&x.traverse(function(L){L.material&&(Array.isArray(L.material)?L.material.forEach(W=>W.needsUpdate=!0):L.material.needsUpdate=!0)});for(let L=0,W=E.length;L<W;L++){let $=E[L],G=$.shadow;if(G===void 0){qt("WebGLShadowMap:",$,"has no shadow.");continue}if(G.autoUpdate===!1&&G.needsUpdate===!1)continue;s.copy(G.mapSize);let ct=G.getFrameExtents();s.multiply(ct),r.copy(G.mapSize),(s.x>u||s.y>u)&&(s.x>u&&(r.x=Math.floor(u/ct.x),s.x=r.x*ct.x,G.mapSize.x=r.x),s.y>u&&(r.y=Math.floor(u/ct.y),s.y=r.y*ct.y,G.mapSize.y=r.y));let K=i.state.buffers.depth.getReversed();if(G.camera._reversedDepth=K,G.map===null||H===!0){if(G.map!==null&&(G.map.depthTexture!==null&&(G.map.depthTexture.dispose(),G.map.depthTexture=null),G.map.dispose()),this.type===yo){if($.isPointLight){qt("WebGLShadowMap: VSM shadow maps are not supported for PointLights. Use PCF or BasicShadowMap instead.");continue}G.map=new di(s.x,s.y,{format:Js,type:Oi,minFilter:Xn,magFilter:Xn,generateMipmaps:!1}),G.map.texture.name=$.name+".shadowMap",G.map.depthTexture=new bs(s.x,s.y,Si),G.map.depthTexture.name=$.name+".shadowMapDepth",G.map.depthTexture.format=_s,G.map.depthTexture.compareFunction=null,G.map.depthTexture.minFilter=Rn,G.map.depthTexture.magFilter=Rn}else $.isPointLight?(G.map=new za(s.x),G.map.depthTexture=new _a(s.x,Fi)):(G.map=new di(s.x,s.y),G.map.depthTexture=new bs(s.x,s.y,Fi)),G.map.depthTexture.name=$.name+".shadowMap",G.map.depthTexture.format=_s,this.type===Pa?(G.map.depthTexture.compareFunction=K?ld:ad,G.map.depthTexture.minFilter=Xn,G.map.depthTexture.magFilter=Xn):(G.map.depthTexture.compareFunction=null,G.map.depthTexture.minFilter=Rn,G.map.depthTexture.magFilter=Rn);G.camera.updateProjectionMatrix()}G.map.isWebGLCubeRenderTarget!==!0&&(G.map.width!==s.x||G.map.height!==s.y)&&G.map.setSize(s.x,s.y);let Q=G.map.isWebGLCubeRenderTarget?6:G.getViewportCount();$.isPointLight!==!0&&G.updateMatrices($,T);let st=(G.camera.layers.mask&4294967294)!==0?G.camera.layers:T.layers;for(let dt=0;dt<Q;dt++){let ut=G.getCamera(dt);if($.isPointLight){let tt=G.camera,mt=G.matrix,xt=$.distance||tt.far;xt!==tt.far&&(tt.far=xt,tt.updateProjectionMatrix()),Ba.setFromMatrixPosition($.matrixWorld),tt.position.copy(Ba),bd.copy(tt.position),bd.add(YM[dt]),tt.up.copy($M[dt]),tt.lookAt(bd),tt.updateMatrixWorld(),mt.makeTranslation(-Ba.x,-Ba.y,-Ba.z),Cg.multiplyMatrices(tt.projectionMatrix,tt.matrixWorldInverse),G._frustum.setFromProjectionMatrix(Cg,tt.coordinateSystem,tt.reversedDepth)}if(G.map.isWebGLCubeRenderTarget)i.setRenderTarget(G.map,dt),i.clear();else{dt===0&&(i.setRenderTarget(G.map),i.clear());let tt=G.getViewport(dt);o.set(r.x*tt.x,r.y*tt.y,r.x*tt.z,r.y*tt.w),z.viewport(o)}n=G.getFrustum(dt),w(x,T,ut,$,st,this.type)}G.isPointLightShadow!==!0&&this.type===yo&&y(G,T),G.needsUpdate=!1}g=this.type,m.needsUpdate=!1,i.setRenderTarget(k,U,N)};function y(E,x){let T=t.update(v);h.defines.VSM_SAMPLES!==E.blurSamples&&(h.defines.VSM_SAMPLES=E.blurSamples,f.defines.VSM_SAMPLES=E.blurSamples,h.needsUpdate=!0,f.needsUpdate=!0),E.mapPass===null?E.mapPass=new di(s.x,s.y,{format:Js,type:Oi}):(E.mapPass.width!==E.map.width||E.mapPass.height!==E.map.height)&&E.mapPass.setSize(E.map.width,E.map.height),h.uniforms.shadow_pass.value=E.map.depthTexture,h.uniforms.resolution.value.set(E.map.width,E.map.height),h.uniforms.radius.value=E.radius,i.setRenderTarget(E.mapPass),i.clear(),i.renderBufferDirect(x,null,T,h,v,null),f.uniforms.shadow_pass.value=E.mapPass.texture,f.uniforms.resolution.value.set(E.map.width,E.map.height),f.uniforms.radius.value=E.radius,i.setRenderTarget(E.map),i.clear(),i.renderBufferDirect(x,null,T,f,v,null)}function A(E,x,T,k){let U=null,N=T.isPointLight===!0?E.customDistanceMaterial:E.customDepthMaterial;if(N!==void 0)U=N;else if(U=T.isPointLight===!0?c:a,i.localClippingEnabled&&x.clipShadows===!0&&Array.isArray(x.clippingPlanes)&&x.clippingPlanes.length!==0||x.displacementMap&&x.displacementScale!==0||x.alphaMap&&x.alphaTest>0||x.map&&x.alphaTest>0||x.alphaToCoverage===!0){let z=U.uuid,H=x.uuid,L=l[z];L===void 0&&(L={},l[z]=L);let W=L[H];W===void 0&&(W=U.clone(),L[H]=W,x.addEventListener("dispose",P)),U=W}if(U.visible=x.visible,U.wireframe=x.wireframe,k===yo?U.side=x.shadowSide!==null?x.shadowSide:x.side:U.side=x.shadowSide!==null?x.shadowSide:d[x.side],U.alphaMap=x.alphaMap,U.alphaTest=x.alphaToCoverage===!0?.5:x.alphaTest,U.map=x.map,U.clipShadows=x.clipShadows,U.clippingPlanes=x.clippingPlanes,U.clipIntersection=x.clipIntersection,U.displacementMap=x.displacementMap,U.displacementScale=x.displacementScale,U.displacementBias=x.displacementBias,U.wireframeLinewidth=x.wireframeLinewidth,U.linewidth=x.linewidth,T.isPointLight===!0&&U.isMeshDistanceMaterial===!0){let z=i.properties.get(U);z.light=T}return U}function w(E,x,T,k,U,N){if(E.visible===!1)return;if(E.layers.test(U)&&(E.isMesh||E.isLine||E.isPoints)&&(E.castShadow||E.receiveShadow&&N===yo)&&(!E.frustumCulled||E.intersectsFrustum(n))){E.modelViewMatrix.multiplyMatrices(T.matrixWorldInverse,E.matrixWorld);let L=t.update(E),W=E.material;if(Array.isArray(W)){let $=L.groups;for(let G=0,ct=$.length;G<ct;G++){let K=$[G],Q=W[K.materialIndex];if(Q&&Q.visible){let st=A(E,Q,k,N);E.onBeforeShadow(i,E,x,T,L,st,K),i.renderBufferDirect(T,null,L,st,E,K),E.onAfterShadow(i,E,x,T,L,st,K)}}}else if(W.visible){let $=A(E,W,k,N);E.onBeforeShadow(i,E,x,T,L,$,null),i.renderBufferDirect(T,null,L,$,E,null),E.onAfterShadow(i,E,x,T,L,$,null)}}let H=E.children;for(let L=0,W=H.length;L<W;L++)w(H[L],x,T,k,U,N)}function P(E){E.target.removeEventListener("dispose",P);for(let T in l){let k=l[T],U=E.target.uuid;U in k&&(k[U].dispose(),delete k[U])}}}function JM(i,t){function e(){let F=!1,rt=new Ye,nt=null,wt=new Ye(0,0,0,0);return{setMask:function(gt){nt!==gt&&!F&&(i.colorMask(gt,gt,gt,gt),nt=gt)},setLocked:function(gt){F=gt},setClear:function(gt,bt,Gt,Zt,lt){lt===!0&&(gt*=Zt,bt*=Zt,Gt*=Zt),rt.set(gt,bt,Gt,Zt),wt.equals(rt)===!1&&(i.clearColor(gt,bt,Gt,Zt),wt.copy(rt))},reset:function(){F=!1,nt=null,wt.set(-1,0,0,0)}}}function n(){let F=!1,rt=!1,nt=null,wt=null,gt=null;return{setReversed:function(bt){if(rt!==bt){let Gt=t.get("EXT_clip_control");bt?Gt.clipControlEXT(Gt.LOWER_LEFT_EXT,Gt.ZERO_TO_ONE_EXT):Gt.clipControlEXT(Gt.LOWER_LEFT_EXT,Gt.NEGATIVE_ONE_TO_ONE_EXT),rt=bt;let Zt=gt;gt=null,this.setClear(Zt)}},getReversed:function(){return rt},setTest:function(bt){bt?St(i.DEPTH_TEST):Ht(i.DEPTH_TEST)},setMask:function(bt){nt!==bt&&!F&&(i.depthMask(bt),nt=bt)},setFunc:function(bt){if(rt&&(bt=ng[bt]),wt!==bt){switch(bt){case kl:i.depthFunc(i.NEVER);break;case zl:i.depthFunc(i.ALWAYS);break;case Vl:i.depthFunc(i.LESS);break;case lo:i.depthFunc(i.LEQUAL);break;case Gl:i.depthFunc(i.EQUAL);break;case Hl:i.depthFunc(i.GEQUAL);break;case Wl:i.depthFunc(i.GREATER);break;case Xl:i.depthFunc(i.NOTEQUAL);break;default:i.depthFunc(i.LEQUAL)}wt=bt}},setLocked:function(bt){F=bt},setClear:function(bt){gt!==bt&&(gt=bt,rt&&(bt=1-bt),i.clearDepth(bt))},reset:function(){F=!1,nt=null,wt=null,gt=null,rt=!1}}}function s(){let F=!1,rt=null,nt=null,wt=null,gt=null,bt=null,Gt=null,Zt=null,lt=null;return{setTest:function(Ot){F||(Ot?St(i.STENCIL_TEST):Ht(i.STENCIL_TEST))},setMask:function(Ot){rt!==Ot&&!F&&(i.stencilMask(Ot),rt=Ot)},setFunc:function(Ot,Jt,Rt){(nt!==Ot||wt!==Jt||gt!==Rt)&&(i.stencilFunc(Ot,Jt,Rt),nt=Ot,wt=Jt,gt=Rt)},setOp:function(Ot,Jt,Rt){(bt!==Ot||Gt!==Jt||Zt!==Rt)&&(i.stencilOp(Ot,Jt,Rt),bt=Ot,Gt=Jt,Zt=Rt)},setLocked:function(Ot){F=Ot},setClear:function(Ot){lt!==Ot&&(i.clearStencil(Ot),lt=Ot)},reset:function(){F=!1,rt=null,nt=null,wt=null,gt=null,bt=null,Gt=null,Zt=null,lt=null}}}let r=new e,o=new n,a=new s,c={},l=new WeakMap,u={},d={},h={},f=new WeakMap,p=[],v=null,m=!1,g=null,y=null,A=null,w=null,P=null,E=null,x=null,T=new oe(0,0,0),k=0,U=!1,N=null,z=null,H=null,L=null,W=null,$=i.getParameter(i.MAX_COMBINED_TEXTURE_IMAGE_UNITS),G=!1,ct=0,K=i.getParameter(i.VERSION);K.indexOf("WebGL")!==-1?(ct=parseFloat(/^WebGL (\d)/.exec(K)[1]),G=ct>=1):K.indexOf("OpenGL ES")!==-1&&(ct=parseFloat(/^OpenGL ES (\d)/.exec(K)[1]),G=ct>=2);let Q=null,st={},dt=i.getParameter(i.SCISSOR_BOX),ut=i.getParameter(i.VIEWPORT),tt=new Ye().fromArray(dt),mt=new Ye().fromArray(ut);function xt(F,rt,nt,wt){let gt=new Uint8Array(4),bt=i.createTexture();i.bindTexture(F,bt),i.texParameteri(F,i.TEXTURE_MIN_FILTER,i.NEAREST),i.texParameteri(F,i.TEXTURE_MAG_FILTER,i.NEAREST);for(let Gt=0;Gt<nt;Gt++)F===i.TEXTURE_3D||F===i.TEXTURE_2D_ARRAY?i.texImage3D(rt,0,i.RGBA,1,1,wt,0,i.RGBA,i.UNSIGNED_BYTE,gt):i.texImage2D(rt+Gt,0,i.RGBA,1,1,0,i.RGBA,i.UNSIGNED_BYTE,gt);return bt}let At={};At[i.TEXTURE_2D]=xt(i.TEXTURE_2D,i.TEXTURE_2D,1),At[i.TEXTURE_CUBE_MAP]=xt(i.TEXTURE_CUBE_MAP,i.TEXTURE_CUBE_MAP_POSITIVE_X,6),At[i.TEXTURE_2D_ARRAY]=xt(i.TEXTURE_2D_ARRAY,i.TEXTURE_2D_ARRAY,1,1),At[i.TEXTURE_3D]=xt(i.TEXTURE_3D,i.TEXTURE_3D,1,1),r.setClear(0,0,0,1),o.setClear(1),a.setClear(0),St(i.DEPTH_TEST),o.setFunc(lo),sn(!1),Ie(Vu),St(i.CULL_FACE),Xe(gr);function St(F){u[F]!==!0&&(i.enable(F),u[F]=!0)}function Ht(F){u[F]!==!1&&(i.disable(F),u[F]=!1)}function ie(F,rt){return h[F]!==rt?(i.bindFramebuffer(F,rt),h[F]=rt,F===i.DRAW_FRAMEBUFFER&&(h[i.FRAMEBUFFER]=rt),F===i.FRAMEBUFFER&&(h[i.DRAW_FRAMEBUFFER]=rt),!0):!1}function Vt(F,rt){let nt=p,wt=!1;if(F){nt=f.get(rt),nt===void 0&&(nt=[],f.set(rt,nt));let gt=F.textures;if(nt.length!==gt.length||nt[0]!==i.COLOR_ATTACHMENT0){for(let bt=0,Gt=gt.length;bt<Gt;bt++)nt[bt]=i.COLOR_ATTACHMENT0+bt;nt.length=gt.length,wt=!0}}else nt[0]!==i.BACK&&(nt[0]=i.BACK,wt=!0);wt&&i.drawBuffers(nt)}function ue(F){return v!==F?(i.useProgram(F),v=F,!0):!1}let le={[_r]:i.FUNC_ADD,[wm]:i.FUNC_SUBTRACT,[Tm]:i.FUNC_REVERSE_SUBTRACT};le[Em]=i.MIN,le[Am]=i.MAX;let ee={[Rm]:i.ZERO,[Cm]:i.ONE,[Pm]:i.SRC_COLOR,[Xu]:i.SRC_ALPHA,[Fm]:i.SRC_ALPHA_SATURATE,[Dm]:i.DST_COLOR,[Lm]:i.DST_ALPHA,[Im]:i.ONE_MINUS_SRC_COLOR,[qu]:i.ONE_MINUS_SRC_ALPHA,[Um]:i.ONE_MINUS_DST_COLOR,[Nm]:i.ONE_MINUS_DST_ALPHA,[Om]:i.CONSTANT_COLOR,[Bm]:i.ONE_MINUS_CONSTANT_COLOR,[km]:i.CONSTANT_ALPHA,[zm]:i.ONE_MINUS_CONSTANT_ALPHA};function Xe(F,rt,nt,wt,gt,bt,Gt,Zt,lt,Ot){if(F===gr){m===!0&&(Ht(i.BLEND),m=!1);return}if(m===!1&&(St(i.BLEND),m=!0),F!==Mm){if(F!==g||Ot!==U){if((y!==_r||P!==_r)&&(i.blendEquation(i.FUNC_ADD),y=_r,P=_r),Ot)switch(F){case bo:i.blendFuncSeparate(i.ONE,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case Gu:i.blendFunc(i.ONE,i.ONE);break;case Hu:i.blendFuncSeparate(i.ZERO,i.ONE_MINUS_SRC_COLOR,i.ZERO,i.ONE);break;case Wu:i.blendFuncSeparate(i.DST_COLOR,i.ONE_MINUS_SRC_ALPHA,i.ZERO,i.ONE);break;default:Qt("WebGLState: Invalid blending: ",F);break}else switch(F){case bo:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case Gu:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE,i.ONE,i.ONE);break;case Hu:Qt("WebGLState: SubtractiveBlending requires material.premultipliedAlpha = true");break;case Wu:Qt("WebGLState: MultiplyBlending requires material.premultipliedAlpha = true");break;default:Qt("WebGLState: Invalid blending: ",F);break}A=null,w=null,E=null,x=null,T.set(0,0,0),k=0,g=F,U=Ot}return}gt=gt||rt,bt=bt||nt,Gt=Gt||wt,(rt!==y||gt!==P)&&(i.blendEquationSeparate(le[rt],le[gt]),y=rt,P=gt),(nt!==A||wt!==w||bt!==E||Gt!==x)&&(i.blendFuncSeparate(ee[nt],ee[wt],ee[bt],ee[Gt]),A=nt,w=wt,E=bt,x=Gt),(Zt.equals(T)===!1||lt!==k)&&(i.blendColor(Zt.r,Zt.g,Zt.b,lt),T.copy(Zt),k=lt),g=F,U=!1}function Be(F,rt){F.side===ji?Ht(i.CULL_FACE):St(i.CULL_FACE);let nt=F.side===$n;rt&&(nt=!nt),sn(nt),F.blending===bo&&F.transparent===!1?Xe(gr):Xe(F.blending,F.blendEquation,F.blendSrc,F.blendDst,F.blendEquationAlpha,F.blendSrcAlpha,F.blendDstAlpha,F.blendColor,F.blendAlpha,F.premultipliedAlpha),o.setFunc(F.depthFunc),o.setTest(F.depthTest),o.setMask(F.depthWrite),r.setMask(F.colorWrite);let wt=F.stencilWrite;a.setTest(wt),wt&&(a.setMask(F.stencilWriteMask),a.setFunc(F.stencilFunc,F.stencilRef,F.stencilFuncMask),a.setOp(F.stencilFail,F.stencilZFail,F.stencilZPass)),ve(F.polygonOffset,F.polygonOffsetFactor,F.polygonOffsetUnits),F.alphaToCoverage===!0?St(i.SAMPLE_ALPHA_TO_COVERAGE):Ht(i.SAMPLE_ALPHA_TO_COVERAGE)}function sn(F){N!==F&&(F?i.frontFace(i.CW):i.frontFace(i.CCW),N=F)}function Ie(F){F!==ym?(St(i.CULL_FACE),F!==z&&(F===Vu?i.cullFace(i.BACK):F===bm?i.cullFace(i.FRONT):i.cullFace(i.FRONT_AND_BACK))):Ht(i.CULL_FACE),z=F}function yn(F){F!==H&&(G&&i.lineWidth(F),H=F)}function ve(F,rt,nt){F?(St(i.POLYGON_OFFSET_FILL),(L!==rt||W!==nt)&&(L=rt,W=nt,o.getReversed()&&(rt=-rt,nt=-nt),i.polygonOffset(rt,nt))):Ht(i.POLYGON_OFFSET_FILL)}function dn(F){F?St(i.SCISSOR_TEST):Ht(i.SCISSOR_TEST)}function Ze(F){F===void 0&&(F=i.TEXTURE0+$-1),Q!==F&&(i.activeTexture(F),Q=F)}function rn(F,rt,nt){nt===void 0&&(Q===null?nt=i.TEXTURE0+$-1:nt=Q);let wt=st[nt];wt===void 0&&(wt={type:void 0,texture:void 0},st[nt]=wt),(wt.type!==F||wt.texture!==rt)&&(Q!==nt&&(i.activeTexture(nt),Q=nt),i.bindTexture(F,rt||At[F]),wt.type=F,wt.texture=rt)}function O(){let F=st[Q];F!==void 0&&F.type!==void 0&&(i.bindTexture(F.type,null),F.type=void 0,F.texture=void 0)}function Ct(){try{i.compressedTexImage2D(...arguments)}catch(F){Qt("WebGLState:",F)}}function Yt(){try{i.compressedTexImage3D(...arguments)}catch(F){Qt("WebGLState:",F)}}function se(){try{i.texSubImage2D(...arguments)}catch(F){Qt("WebGLState:",F)}}function Mt(){try{i.texSubImage3D(...arguments)}catch(F){Qt("WebGLState:",F)}}function Ue(){try{i.compressedTexSubImage2D(...arguments)}catch(F){Qt("WebGLState:",F)}}function zt(){try{i.compressedTexSubImage3D(...arguments)}catch(F){Qt("WebGLState:",F)}}function Xt(){try{i.texStorage2D(...arguments)}catch(F){Qt("WebGLState:",F)}}function R(){try{i.texStorage3D(...arguments)}catch(F){Qt("WebGLState:",F)}}function b(){try{i.texImage2D(...arguments)}catch(F){Qt("WebGLState:",F)}}function q(){try{i.texImage3D(...arguments)}catch(F){Qt("WebGLState:",F)}}function ht(F){return d[F]!==void 0?d[F]:i.getParameter(F)}function ot(F,rt){d[F]!==rt&&(i.pixelStorei(F,rt),d[F]=rt)}function _t(F){tt.equals(F)===!1&&(i.scissor(F.x,F.y,F.z,F.w),tt.copy(F))}function vt(F){mt.equals(F)===!1&&(i.viewport(F.x,F.y,F.z,F.w),mt.copy(F))}function et(F,rt){let nt=l.get(rt);nt===void 0&&(nt=new WeakMap,l.set(rt,nt));let wt=nt.get(F);wt===void 0&&(wt=i.getUniformBlockIndex(rt,F.name),i.uniformBlockBinding(rt,wt,wt),nt.set(F,wt))}function it(F,rt,nt){let gt=l.get(rt).get(F);c[gt]!==nt&&(i.bindBufferBase(i.UNIFORM_BUFFER,gt,nt),c[gt]=nt)}function pt(){i.disable(i.BLEND),i.disable(i.CULL_FACE),i.disable(i.DEPTH_TEST),i.disable(i.POLYGON_OFFSET_FILL),i.disable(i.SCISSOR_TEST),i.disable(i.STENCIL_TEST),i.disable(i.SAMPLE_ALPHA_TO_COVERAGE),i.blendEquation(i.FUNC_ADD),i.blendFunc(i.ONE,i.ZERO),i.blendFuncSeparate(i.ONE,i.ZERO,i.ONE,i.ZERO),i.blendColor(0,0,0,0),i.colorMask(!0,!0,!0,!0),i.clearColor(0,0,0,0),i.depthMask(!0),i.depthFunc(i.LESS),o.setReversed(!1),i.clearDepth(1),i.stencilMask(4294967295),i.stencilFunc(i.ALWAYS,0,4294967295),i.stencilOp(i.KEEP,i.KEEP,i.KEEP),i.clearStencil(0),i.cullFace(i.BACK),i.frontFace(i.CCW),i.polygonOffset(0,0),i.activeTexture(i.TEXTURE0),i.bindFramebuffer(i.FRAMEBUFFER,null),i.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),i.bindFramebuffer(i.READ_FRAMEBUFFER,null),i.useProgram(null),i.lineWidth(1),i.scissor(0,0,i.canvas.width,i.canvas.height),i.viewport(0,0,i.canvas.width,i.canvas.height),i.pixelStorei(i.PACK_ALIGNMENT,4),i.pixelStorei(i.UNPACK_ALIGNMENT,4),i.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,!1),i.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,!1),i.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,i.BROWSER_DEFAULT_WEBGL),i.pixelStorei(i.PACK_ROW_LENGTH,0),i.pixelStorei(i.PACK_SKIP_PIXELS,0),i.pixelStorei(i.PACK_SKIP_ROWS,0),i.pixelStorei(i.UNPACK_ROW_LENGTH,0),i.pixelStorei(i.UNPACK_IMAGE_HEIGHT,0),i.pixelStorei(i.UNPACK_SKIP_PIXELS,0),i.pixelStorei(i.UNPACK_SKIP_ROWS,0),i.pixelStorei(i.UNPACK_SKIP_IMAGES,0),u={},d={},Q=null,st={},h={},c={},f=new WeakMap,p=[],v=null,m=!1,g=null,y=null,A=null,w=null,P=null,E=null,x=null,T=new oe(0,0,0),k=0,U=!1,N=null,z=null,H=null,L=null,W=null,tt.set(0,0,i.canvas.width,i.canvas.height),mt.set(0,0,i.canvas.width,i.canvas.height),r.reset(),o.reset(),a.reset()}return{buffers:{color:r,depth:o,stencil:a},enable:St,disable:Ht,bindFramebuffer:ie,drawBuffers:Vt,useProgram:ue,setBlending:Xe,setMaterial:Be,setFlipSided:sn,setCullFace:Ie,setLineWidth:yn,setPolygonOffset:ve,setScissorTest:dn,activeTexture:Ze,bindTexture:rn,unbindTexture:O,compressedTexImage2D:Ct,compressedTexImage3D:Yt,texImage2D:b,texImage3D:q,pixelStorei:ot,getParameter:ht,updateUBOMapping:et,uniformBlockBinding:it,texStorage2D:Xt,texStorage3D:R,texSubImage2D:se,texSubImage3D:Mt,compressedTexSubImage2D:Ue,compressedTexSubImage3D:zt,scissor:_t,viewport:vt,reset:pt}}function KM(i,t,e,n,s,r,o){let a=t.has("WEBGL_multisampled_render_to_texture")?t.get("WEBGL_multisampled_render_to_texture"):null,c=typeof navigator>"u"?!1:/OculusBrowser/g.test(navigator.userAgent),l=new Kt,u=new WeakMap,d=new Set,h,f=new WeakMap,p=new Set,v=new FinalizationRegistry(R=>p.delete(R)),m=!1;try{m=typeof OffscreenCanvas<"u"&&new OffscreenCanvas(1,1).getContext("2d")!==null}catch{}function g(R,b){return m?new OffscreenCanvas(R,b):ca("canvas")}function y(R,b,q){let ht=1,ot=Xt(R);if((ot.width>q||ot.height>q)&&(ht=q/Math.max(ot.width,ot.height)),ht<1)if(typeof HTMLImageElement<"u"&&R instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&R instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&R instanceof ImageBitmap||typeof VideoFrame<"u"&&R instanceof VideoFrame){let _t=Math.floor(ht*ot.width),vt=Math.floor(ht*ot.height);h===void 0&&(h=g(_t,vt));let et=b?g(_t,vt):h;return et.width=_t,et.height=vt,et.getContext("2d").drawImage(R,0,0,_t,vt),qt("WebGLRenderer: Texture has been resized from ("+ot.width+"x"+ot.height+") to ("+_t+"x"+vt+")."),et}else return"data"in R&&qt("WebGLRenderer: Image in DataTexture is too big ("+ot.width+"x"+ot.height+")."),R;return R}function A(R){return R.generateMipmaps}function w(R){i.generateMipmap(R)}function P(R){return R.isWebGLCubeRenderTarget?i.TEXTURE_CUBE_MAP:R.isWebGL3DRenderTarget?i.TEXTURE_3D:R.isWebGLArrayRenderTarget||R.isCompressedArrayTexture?i.TEXTURE_2D_ARRAY:i.TEXTURE_2D}function E(R,b,q,ht,ot,_t=!1){if(R!==null){if(i[R]!==void 0)return i[R];qt("WebGLRenderer: Attempt to use non-existing WebGL internal format '"+R+"'")}let vt;ht&&(vt=t.get("EXT_texture_norm16"),vt||qt("WebGLRenderer: Unable to use normalized textures without EXT_texture_norm16 extension"));let et=b;if(b===i.RED&&(q===i.FLOAT&&(et=i.R32F),q===i.HALF_FLOAT&&(et=i.R16F),q===i.UNSIGNED_BYTE&&(et=i.R8),q===i.UNSIGNED_SHORT&&vt&&(et=vt.R16_EXT),q===i.SHORT&&vt&&(et=vt.R16_SNORM_EXT)),b===i.RED_INTEGER&&(q===i.UNSIGNED_BYTE&&(et=i.R8UI),q===i.UNSIGNED_SHORT&&(et=i.R16UI),q===i.UNSIGNED_INT&&(et=i.R32UI),q===i.BYTE&&(et=i.R8I),q===i.SHORT&&(et=i.R16I),q===i.INT&&(et=i.R32I)),b===i.RG&&(q===i.FLOAT&&(et=i.RG32F),q===i.HALF_FLOAT&&(et=i.RG16F),q===i.UNSIGNED_BYTE&&(et=i.RG8),q===i.UNSIGNED_SHORT&&vt&&(et=vt.RG16_EXT),q===i.SHORT&&vt&&(et=vt.RG16_SNORM_EXT)),b===i.RG_INTEGER&&(q===i.UNSIGNED_BYTE&&(et=i.RG8UI),q===i.UNSIGNED_SHORT&&(et=i.RG16UI),q===i.UNSIGNED_INT&&(et=i.RG32UI),q===i.BYTE&&(et=i.RG8I),q===i.SHORT&&(et=i.RG16I),q===i.INT&&(et=i.RG32I)),b===i.RGB_INTEGER&&(q===i.UNSIGNED_BYTE&&(et=i.RGB8UI),q===i.UNSIGNED_SHORT&&(et=i.RGB16UI),q===i.UNSIGNED_INT&&(et=i.RGB32UI),q===i.BYTE&&(et=i.RGB8I),q===i.SHORT&&(et=i.RGB16I),q===i.INT&&(et=i.RGB32I)),b===i.RGBA_INTEGER&&(q===i.UNSIGNED_BYTE&&(et=i.RGBA8UI),q===i.UNSIGNED_SHORT&&(et=i.RGBA16UI),q===i.UNSIGNED_INT&&(et=i.RGBA32UI),q===i.BYTE&&(et=i.RGBA8I),q===i.SHORT&&(et=i.RGBA16I),q===i.INT&&(et=i.RGBA32I)),b===i.RGB&&(q===i.UNSIGNED_SHORT&&vt&&(et=vt.RGB16_EXT),q===i.SHORT&&vt&&(et=vt.RGB16_SNORM_EXT),q===i.UNSIGNED_INT_5_9_9_9_REV&&(et=i.RGB9_E5),q===i.UNSIGNED_INT_10F_11F_11F_REV&&(et=i.R11F_G11F_B10F)),b===i.RGBA){let it=_t?la:xe.getTransfer(ot);q===i.FLOAT&&(et=i.RGBA32F),q===i.HALF_FLOAT&&(et=i.RGBA16F),q===i.UNSIGNED_BYTE&&(et=it===Ae?i.SRGB8_ALPHA8:i.RGBA8),q===i.UNSIGNED_SHORT&&vt&&(et=vt.RGBA16_EXT),q===i.SHORT&&vt&&(et=vt.RGBA16_SNORM_EXT),q===i.UNSIGNED_SHORT_4_4_4_4&&(et=i.RGBA4),q===i.UNSIGNED_SHORT_5_5_5_1&&(et=i.RGB5_A1)}return(et===i.R16F||et===i.R32F||et===i.RG16F||et===i.RG32F||et===i.RGBA16F||et===i.RGBA32F)&&t.get("EXT_color_buffer_float"),et}function x(R,b){let q;return R?b===null||b===Fi||b===vr?q=i.DEPTH24_STENCIL8:b===Si?q=i.DEPTH32F_STENCIL8:b===Mo&&(q=i.DEPTH24_STENCIL8,qt("DepthTexture: 16 bit depth attachment is not supported with stencil. Using 24-bit attachment.")):b===null||b===Fi||b===vr?q=i.DEPTH_COMPONENT24:b===Si?q=i.DEPTH_COMPONENT32F:b===Mo&&(q=i.DEPTH_COMPONENT16),q}function T(R,b){return A(R)===!0||R.isFramebufferTexture&&R.minFilter!==Rn&&R.minFilter!==Xn?Math.log2(Math.max(b.width,b.height))+1:R.mipmaps.length>0?R.mipmaps.length:R.isCompressedTexture&&Array.isArray(R.image)?b.mipmaps.length:1}function k(R){let b=new WeakRef(R);n.get(R).__ref=b,p.add(b),v.register(R,b,b)}function U(R){let b=n.get(R).__ref;b!==void 0&&(p.delete(b),v.unregister(b))}function N(R){H(R.target)}function z(R){L(R.target)}function H(R){R.removeEventListener("dispose",N),U(R),$(R),R.isVideoTexture&&u.delete(R),R.isHTMLTexture&&d.delete(R)}function L(R){R.removeEventListener("dispose",z),U(R),ct(R)}function W(){for(let R of p){let b=R.deref();b!==void 0&&(b.isRenderTarget===!0?L(b):H(b))}p.clear(),d.clear()}function $(R){let b=n.get(R);if(b.__webglInit===void 0)return;let q=R.source,ht=f.get(q);if(ht){let ot=ht[b.__cacheKey];ot.usedTimes--,ot.usedTimes===0&&G(R),Object.keys(ht).length===0&&f.delete(q)}n.remove(R)}function G(R){let b=n.get(R);i.deleteTexture(b.__webglTexture);let q=R.source,ht=f.get(q);delete ht[b.__cacheKey],o.memory.textures--}function ct(R){let b=n.get(R);b.__depthDisposeCallback&&b.__depthDisposeCallback();let q=R.depthTexture;if(q&&q.renderTarget===R&&H(q),R.isWebGLCubeRenderTarget)for(let ot=0;ot<6;ot++){if(Array.isArray(b.__webglFramebuffer[ot]))for(let _t=0;_t<b.__webglFramebuffer[ot].length;_t++)i.deleteFramebuffer(b.__webglFramebuffer[ot][_t]);else i.deleteFramebuffer(b.__webglFramebuffer[ot]);b.__webglDepthbuffer&&i.deleteRenderbuffer(b.__webglDepthbuffer[ot])}else{if(Array.isArray(b.__webglFramebuffer))for(let ot=0;ot<b.__webglFramebuffer.length;ot++)i.deleteFramebuffer(b.__webglFramebuffer[ot]);else i.deleteFramebuffer(b.__webglFramebuffer);if(b.__webglDepthbuffer&&i.deleteRenderbuffer(b.__webglDepthbuffer),b.__webglMultisampledFramebuffer&&i.deleteFramebuffer(b.__webglMultisampledFramebuffer),b.__webglColorRenderbuffer)for(let ot=0;ot<b.__webglColorRenderbuffer.length;ot++)b.__webglColorRenderbuffer[ot]&&i.deleteRenderbuffer(b.__webglColorRenderbuffer[ot]);b.__webglDepthRenderbuffer&&i.deleteRenderbuffer(b.__webglDepthRenderbuffer)}let ht=R.textures;for(let ot=0,_t=ht.length;ot<_t;ot++){let vt=n.get(ht[ot]);vt.__webglTexture&&(i.deleteTexture(vt.__webglTexture),o.memory.textures--),n.remove(ht[ot])}n.remove(R)}let K=0;function Q(){K=0}function st(){return K}function dt(R){K=R}function ut(){let R=K;return R>=s.maxTextures&&qt("WebGLTextures: Trying to use "+(R+1)+" texture units while this GPU supports only "+s.maxTextures),K+=1,R}function tt(R){let b=[];return b.push(R.wrapS),b.push(R.wrapT),b.push(R.wrapR||0),b.push(R.magFilter),b.push(R.minFilter),b.push(R.anisotropy),b.push(R.internalFormat),b.push(R.format),b.push(R.type),b.push(R.generateMipmaps),b.push(R.mipmapsAutoUpdate),b.push(R.premultiplyAlpha),b.push(R.flipY),b.push(R.unpackAlignment),b.push(R.colorSpace),b.join()}function mt(R,b){let q=n.get(R);if(R.isVideoTexture&&Ue(R),R.isRenderTargetTexture===!1&&R.isExternalTexture!==!0&&R.version>0&&q.__version!==R.version){let ht=R.image;if(ht===null)qt("WebGLRenderer: Texture marked for update but no image data found.");else if(ht.complete===!1)qt("WebGLRenderer: Texture marked for update but image is incomplete");else{Be(q,R,b);return}}else R.isExternalTexture&&(q.__webglTexture=R.sourceTexture?R.sourceTexture:null);e.bindTexture(i.TEXTURE_2D,q.__webglTexture,i.TEXTURE0+b)}function xt(R,b){let q=n.get(R);if(R.isRenderTargetTexture===!1&&R.version>0&&q.__version!==R.version){Be(q,R,b);return}else R.isExternalTexture&&(q.__webglTexture=R.sourceTexture?R.sourceTexture:null);e.bindTexture(i.TEXTURE_2D_ARRAY,q.__webglTexture,i.TEXTURE0+b)}function At(R,b){let q=n.get(R);if(R.isRenderTargetTexture===!1&&R.version>0&&q.__version!==R.version){Be(q,R,b);return}e.bindTexture(i.TEXTURE_3D,q.__webglTexture,i.TEXTURE0+b)}function St(R,b){let q=n.get(R);if(R.version>0&&q.__version!==R.version){sn(q,R,b);return}e.bindTexture(i.TEXTURE_CUBE_MAP,q.__webglTexture,i.TEXTURE0+b)}let Ht={[ql]:i.REPEAT,[Zi]:i.CLAMP_TO_EDGE,[Yl]:i.MIRRORED_REPEAT},ie={[Rn]:i.NEAREST,[Hm]:i.NEAREST_MIPMAP_NEAREST,[Ia]:i.NEAREST_MIPMAP_LINEAR,[Xn]:i.LINEAR,[yc]:i.LINEAR_MIPMAP_NEAREST,[Ss]:i.LINEAR_MIPMAP_LINEAR},Vt={[Ym]:i.NEVER,[cd]:i.ALWAYS,[$m]:i.LESS,[ad]:i.LEQUAL,[Zm]:i.EQUAL,[ld]:i.GEQUAL,[Jm]:i.GREATER,[Km]:i.NOTEQUAL};function ue(R,b){if(b.type===Si&&t.has("OES_texture_float_linear")===!1&&(b.magFilter===Xn||b.magFilter===yc||b.magFilter===Ia||b.magFilter===Ss||b.minFilter===Xn||b.minFilter===yc||b.minFilter===Ia||b.minFilter===Ss)&&qt("WebGLRenderer: Unable to use linear filtering with floating point textures. OES_texture_float_linear not supported on this device."),i.texParameteri(R,i.TEXTURE_WRAP_S,Ht[b.wrapS]),i.texParameteri(R,i.TEXTURE_WRAP_T,Ht[b.wrapT]),(R===i.TEXTURE_3D||R===i.TEXTURE_2D_ARRAY)&&i.texParameteri(R,i.TEXTURE_WRAP_R,Ht[b.wrapR]),i.texParameteri(R,i.TEXTURE_MAG_FILTER,ie[b.magFilter]),i.texParameteri(R,i.TEXTURE_MIN_FILTER,ie[b.minFilter]),b.compareFunction&&(i.texParameteri(R,i.TEXTURE_COMPARE_MODE,i.COMPARE_REF_TO_TEXTURE),i.texParameteri(R,i.TEXTURE_COMPARE_FUNC,Vt[b.compareFunction])),t.has("EXT_texture_filter_anisotropic")===!0){if(b.magFilter===Rn||b.minFilter!==Ia&&b.minFilter!==Ss||b.type===Si&&t.has("OES_texture_float_linear")===!1)return;if(b.anisotropy>1||n.get(b).__currentAnisotropy){let q=t.get("EXT_texture_filter_anisotropic");i.texParameterf(R,q.TEXTURE_MAX_ANISOTROPY_EXT,Math.min(b.anisotropy,s.getMaxAnisotropy())),n.get(b).__currentAnisotropy=b.anisotropy}}}function le(R,b){let q=!1;R.__webglInit===void 0&&(R.__webglInit=!0,b.addEventListener("dispose",N),k(b));let ht=b.source,ot=f.get(ht);ot===void 0&&(ot={},f.set(ht,ot));let _t=tt(b);if(_t!==R.__cacheKey){ot[_t]===void 0&&(ot[_t]={texture:i.createTexture(),usedTimes:0},o.memory.textures++,q=!0),ot[_t].usedTimes++;let vt=ot[R.__cacheKey];vt!==void 0&&(ot[R.__cacheKey].usedTimes--,vt.usedTimes===0&&G(b)),R.__cacheKey=_t,R.__webglTexture=ot[_t].texture}return q}function ee(R,b,q){return Math.floor(Math.floor(R/q)/b)}function Xe(R,b,q,ht){let _t=R.updateRanges;if(_t.length===0)e.texSubImage2D(i.TEXTURE_2D,0,0,0,b.width,b.height,q,ht,b.data);else{_t.sort((F,rt)=>F.start-rt.start);let vt=0;for(let F=1;F<_t.length;F++){let rt=_t[vt],nt=_t[F],wt=rt.start+rt.count,gt=ee(nt.start,b.width,4),bt=ee(rt.start,b.width,4);nt.start<=wt+1&&gt===bt&&ee(nt.start+nt.count-1,b.width,4)===gt?rt.count=Math.max(rt.count,nt.start+nt.count-rt.start):(++vt,_t[vt]=nt)}_t.length=vt+1;let et=e.getParameter(i.UNPACK_ROW_LENGTH),it=e.getParameter(i.UNPACK_SKIP_PIXELS),pt=e.getParameter(i.UNPACK_SKIP_ROWS);e.pixelStorei(i.UNPACK_ROW_LENGTH,b.width);for(let F=0,rt=_t.length;F<rt;F++){let nt=_t[F],wt=Math.floor(nt.start/4),gt=Math.ceil(nt.count/4),bt=wt%b.width,Gt=Math.floor(wt/b.width),Zt=gt,lt=1;e.pixelStorei(i.UNPACK_SKIP_PIXELS,bt),e.pixelStorei(i.UNPACK_SKIP_ROWS,Gt),e.texSubImage2D(i.TEXTURE_2D,0,bt,Gt,Zt,lt,q,ht,b.data)}R.clearUpdateRanges(),e.pixelStorei(i.UNPACK_ROW_LENGTH,et),e.pixelStorei(i.UNPACK_SKIP_PIXELS,it),e.pixelStorei(i.UNPACK_SKIP_ROWS,pt)}}function Be(R,b,q){let ht=i.TEXTURE_2D;(b.isDataArrayTexture||b.isCompressedArrayTexture)&&(ht=i.TEXTURE_2D_ARRAY),b.isData3DTexture&&(ht=i.TEXTURE_3D);let ot=le(R,b),_t=b.source;e.bindTexture(ht,R.__webglTexture,i.TEXTURE0+q);let vt=n.get(_t);if(_t.version!==vt.__version||ot===!0){if(e.activeTexture(i.TEXTURE0+q),(typeof ImageBitmap<"u"&&b.image instanceof ImageBitmap)===!1){let lt=xe.getPrimaries(xe.workingColorSpace),Ot=b.colorSpace===ws?null:xe.getPrimaries(b.colorSpace),Jt=b.colorSpace===ws||lt===Ot?i.NONE:i.BROWSER_DEFAULT_WEBGL;e.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,b.flipY),e.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,b.premultiplyAlpha),e.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,Jt)}e.pixelStorei(i.UNPACK_ALIGNMENT,b.unpackAlignment);let it=y(b.image,!1,s.maxTextureSize);it=zt(b,it);let pt=r.convert(b.format,b.colorSpace),F=r.convert(b.type),rt=E(b.internalFormat,pt,F,b.normalized,b.colorSpace,b.isVideoTexture);ue(ht,b);let nt,wt=b.mipmaps,gt=b.isVideoTexture!==!0,bt=vt.__version===void 0||ot===!0,Gt=_t.dataReady,Zt=T(b,it);if(b.isDepthTexture)rt=x(b.format===Ms,b.type),bt&&(gt?e.texStorage2D(i.TEXTURE_2D,1,rt,it.width,it.height):e.texImage2D(i.TEXTURE_2D,0,rt,it.width,it.height,0,pt,F,null));else if(b.isDataTexture)if(wt.length>0){gt&&bt&&e.texStorage2D(i.TEXTURE_2D,Zt,rt,wt[0].width,wt[0].height);for(let lt=0,Ot=wt.length;lt<Ot;lt++)nt=wt[lt],gt?Gt&&e.texSubImage2D(i.TEXTURE_2D,lt,0,0,nt.width,nt.height,pt,F,nt.data):e.texImage2D(i.TEXTURE_2D,lt,rt,nt.width,nt.height,0,pt,F,nt.data);b.generateMipmaps=!1}else gt?(bt&&e.texStorage2D(i.TEXTURE_2D,Zt,rt,it.width,it.height),Gt&&Xe(b,it,pt,F)):e.texImage2D(i.TEXTURE_2D,0,rt,it.width,it.height,0,pt,F,it.data);else if(b.isCompressedTexture)if(b.isCompressedArrayTexture){gt&&bt&&e.texStorage3D(i.TEXTURE_2D_ARRAY,Zt,rt,wt[0].width,wt[0].height,it.depth);for(let lt=0,Ot=wt.length;lt<Ot;lt++)if(nt=wt[lt],b.format!==Bi)if(pt!==null)if(gt){if(Gt)if(b.layerUpdates.size>0){let Jt=vd(nt.width,nt.height,b.format,b.type);for(let Rt of b.layerUpdates){let ae=nt.data.subarray(Rt*Jt/nt.data.BYTES_PER_ELEMENT,(Rt+1)*Jt/nt.data.BYTES_PER_ELEMENT);e.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,lt,0,0,Rt,nt.width,nt.height,1,pt,ae)}}else e.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,lt,0,0,0,nt.width,nt.height,it.depth,pt,nt.data)}else e.compressedTexImage3D(i.TEXTURE_2D_ARRAY,lt,rt,nt.width,nt.height,it.depth,0,nt.data,0,0);else qt("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()");else gt?Gt&&e.texSubImage3D(i.TEXTURE_2D_ARRAY,lt,0,0,0,nt.width,nt.height,it.depth,pt,F,nt.data):e.texImage3D(i.TEXTURE_2D_ARRAY,lt,rt,nt.width,nt.height,it.depth,0,pt,F,nt.data);b.layerUpdates.size>0&&b.clearLayerUpdates()}else{gt&&bt&&e.texStorage2D(i.TEXTURE_2D,Zt,rt,wt[0].width,wt[0].height);for(let lt=0,Ot=wt.length;lt<Ot;lt++)nt=wt[lt],b.format!==Bi?pt!==null?gt?Gt&&e.compressedTexSubImage2D(i.TEXTURE_2D,lt,0,0,nt.width,nt.height,pt,nt.data):e.compressedTexImage2D(i.TEXTURE_2D,lt,rt,nt.width,nt.height,0,nt.data):qt("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()"):gt?Gt&&e.texSubImage2D(i.TEXTURE_2D,lt,0,0,nt.width,nt.height,pt,F,nt.data):e.texImage2D(i.TEXTURE_2D,lt,rt,nt.width,nt.height,0,pt,F,nt.data)}else if(b.isDataArrayTexture)if(gt){if(bt&&e.texStorage3D(i.TEXTURE_2D_ARRAY,Zt,rt,it.width,it.height,it.depth),Gt)if(b.layerUpdates.size>0){let lt=vd(it.width,it.height,b.format,b.type);for(let Ot of b.layerUpdates){let Jt=it.data.subarray(Ot*lt/it.data.BYTES_PER_ELEMENT,(Ot+1)*lt/it.data.BYTES_PER_ELEMENT);e.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,Ot,it.width,it.height,1,pt,F,Jt)}b.clearLayerUpdates()}else e.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,0,it.width,it.height,it.depth,pt,F,it.data)}else e.texImage3D(i.TEXTURE_2D_ARRAY,0,rt,it.width,it.height,it.depth,0,pt,F,it.data);else if(b.isData3DTexture)gt?(bt&&e.texStorage3D(i.TEXTURE_3D,Zt,rt,it.width,it.height,it.depth),Gt&&e.texSubImage3D(i.TEXTURE_3D,0,0,0,0,it.width,it.height,it.depth,pt,F,it.data)):e.texImage3D(i.TEXTURE_3D,0,rt,it.width,it.height,it.depth,0,pt,F,it.data);else if(b.isFramebufferTexture){if(bt)if(gt)e.texStorage2D(i.TEXTURE_2D,Zt,rt,it.width,it.height);else{let lt=it.width,Ot=it.height;for(let Jt=0;Jt<Zt;Jt++)e.texImage2D(i.TEXTURE_2D,Jt,rt,lt,Ot,0,pt,F,null),lt>>=1,Ot>>=1}}else if(b.isHTMLTexture){if("texElementImage2D"in i){let lt=i.canvas;if(lt.hasAttribute("layoutsubtree")||lt.setAttribute("layoutsubtree","true"),it.parentNode!==lt){lt.appendChild(it),d.add(b),lt.onpaint=Ot=>{let Jt=Ot.changedElements;for(let Rt of d)Jt.includes(Rt.image)&&(Rt.needsUpdate=!0)},lt.requestPaint();return}if(i.texElementImage2D.length===3)i.texElementImage2D(i.TEXTURE_2D,i.RGBA8,it);else{let Jt=i.RGBA,Rt=i.RGBA,ae=i.UNSIGNED_BYTE;i.texElementImage2D(i.TEXTURE_2D,0,Jt,Rt,ae,it)}i.texParameteri(i.TEXTURE_2D,i.TEXTURE_MIN_FILTER,i.LINEAR),i.texParameteri(i.TEXTURE_2D,i.TEXTURE_WRAP_S,i.CLAMP_TO_EDGE),i.texParameteri(i.TEXTURE_2D,i.TEXTURE_WRAP_T,i.CLAMP_TO_EDGE)}}else if(wt.length>0){if(gt&&bt){let lt=Xt(wt[0]);e.texStorage2D(i.TEXTURE_2D,Zt,rt,lt.width,lt.height)}for(let lt=0,Ot=wt.length;lt<Ot;lt++)nt=wt[lt],gt?Gt&&e.texSubImage2D(i.TEXTURE_2D,lt,0,0,pt,F,nt):e.texImage2D(i.TEXTURE_2D,lt,rt,pt,F,nt);b.generateMipmaps=!1}else if(gt){if(bt){let lt=Xt(it);e.texStorage2D(i.TEXTURE_2D,Zt,rt,lt.width,lt.height)}Gt&&e.texSubImage2D(i.TEXTURE_2D,0,0,0,pt,F,it)}else e.texImage2D(i.TEXTURE_2D,0,rt,pt,F,it);A(b)&&b.mipmapsAutoUpdate===!0&&w(ht),vt.__version=_t.version,b.onUpdate&&b.onUpdate(b)}R.__version=b.version}function sn(R,b,q){if(b.image.length!==6)return;let ht=le(R,b),ot=b.source;e.bindTexture(i.TEXTURE_CUBE_MAP,R.__webglTexture,i.TEXTURE0+q);let _t=n.get(ot);if(ot.version!==_t.__version||ht===!0){e.activeTexture(i.TEXTURE0+q);let vt=xe.getPrimaries(xe.workingColorSpace),et=b.colorSpace===ws?null:xe.getPrimaries(b.colorSpace),it=b.colorSpace===ws||vt===et?i.NONE:i.BROWSER_DEFAULT_WEBGL;e.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,b.flipY),e.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,b.premultiplyAlpha),e.pixelStorei(i.UNPACK_ALIGNMENT,b.unpackAlignment),e.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,it);let pt=b.isCompressedTexture||b.image[0].isCompressedTexture,F=b.image[0]&&b.image[0].isDataTexture,rt=[];for(let Rt=0;Rt<6;Rt++)!pt&&!F?rt[Rt]=y(b.image[Rt],!0,s.maxCubemapSize):rt[Rt]=F?b.image[Rt].image:b.image[Rt],rt[Rt]=zt(b,rt[Rt]);let nt=rt[0],wt=r.convert(b.format,b.colorSpace),gt=r.convert(b.type),bt=E(b.internalFormat,wt,gt,b.normalized,b.colorSpace),Gt=b.isVideoTexture!==!0,Zt=_t.__version===void 0||ht===!0,lt=ot.dataReady,Ot=T(b,nt);ue(i.TEXTURE_CUBE_MAP,b);let Jt;if(b.isDepthTexture){if(bt=x(b.format===Ms,b.type),Zt)if(Gt)e.texStorage2D(i.TEXTURE_CUBE_MAP,1,bt,nt.width,nt.height);else for(let Rt=0;Rt<6;Rt++)e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,0,bt,nt.width,nt.height,0,wt,gt,null)}else if(pt){Gt&&Zt&&e.texStorage2D(i.TEXTURE_CUBE_MAP,Ot,bt,nt.width,nt.height);for(let Rt=0;Rt<6;Rt++){Jt=rt[Rt].mipmaps;for(let ae=0;ae<Jt.length;ae++){let ke=Jt[ae];b.format!==Bi?wt!==null?Gt?lt&&e.compressedTexSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,ae,0,0,ke.width,ke.height,wt,ke.data):e.compressedTexImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,ae,bt,ke.width,ke.height,0,ke.data):qt("WebGLRenderer: Attempt to load unsupported compressed texture format in .setTextureCube()"):Gt?lt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,ae,0,0,ke.width,ke.height,wt,gt,ke.data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,ae,bt,ke.width,ke.height,0,wt,gt,ke.data)}}}else{if(Jt=b.mipmaps,Gt&&Zt){Jt.length>0&&Ot++;let Rt=Xt(rt[0]);e.texStorage2D(i.TEXTURE_CUBE_MAP,Ot,bt,Rt.width,Rt.height)}for(let Rt=0;Rt<6;Rt++)if(F){Gt?lt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,0,0,0,rt[Rt].width,rt[Rt].height,wt,gt,rt[Rt].data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,0,bt,rt[Rt].width,rt[Rt].height,0,wt,gt,rt[Rt].data);for(let ae=0;ae<Jt.length;ae++){let Fn=Jt[ae].image[Rt].image;Gt?lt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,ae+1,0,0,Fn.width,Fn.height,wt,gt,Fn.data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,ae+1,bt,Fn.width,Fn.height,0,wt,gt,Fn.data)}}else{Gt?lt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,0,0,0,wt,gt,rt[Rt]):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,0,bt,wt,gt,rt[Rt]);for(let ae=0;ae<Jt.length;ae++){let ke=Jt[ae];Gt?lt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,ae+1,0,0,wt,gt,ke.image[Rt]):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,ae+1,bt,wt,gt,ke.image[Rt])}}}A(b)&&b.mipmapsAutoUpdate===!0&&w(i.TEXTURE_CUBE_MAP),_t.__version=ot.version,b.onUpdate&&b.onUpdate(b)}R.__version=b.version}function Ie(R,b,q,ht,ot,_t){let vt=r.convert(q.format,q.colorSpace),et=r.convert(q.type),it=E(q.internalFormat,vt,et,q.normalized,q.colorSpace),pt=n.get(b),F=n.get(q);if(F.__renderTarget=b,!pt.__hasExternalTextures){let rt=Math.max(1,b.width>>_t),nt=Math.max(1,b.height>>_t);ot===i.TEXTURE_3D||ot===i.TEXTURE_2D_ARRAY?e.texImage3D(ot,_t,it,rt,nt,b.depth,0,vt,et,null):e.texImage2D(ot,_t,it,rt,nt,0,vt,et,null)}e.bindFramebuffer(i.FRAMEBUFFER,R),Mt(b)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,ht,ot,F.__webglTexture,0,se(b)):(ot===i.TEXTURE_2D||ot>=i.TEXTURE_CUBE_MAP_POSITIVE_X&&ot<=i.TEXTURE_CUBE_MAP_NEGATIVE_Z)&&i.framebufferTexture2D(i.FRAMEBUFFER,ht,ot,F.__webglTexture,_t),e.bindFramebuffer(i.FRAMEBUFFER,null)}function yn(R,b,q){if(i.bindRenderbuffer(i.RENDERBUFFER,R),b.depthBuffer){let ht=b.depthTexture,ot=ht&&ht.isDepthTexture?ht.type:null,_t=x(b.stencilBuffer,ot),vt=b.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;Mt(b)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,se(b),_t,b.width,b.height):q?i.renderbufferStorageMultisample(i.RENDERBUFFER,se(b),_t,b.width,b.height):i.renderbufferStorage(i.RENDERBUFFER,_t,b.width,b.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,vt,i.RENDERBUFFER,R)}else{let ht=b.textures;for(let ot=0;ot<ht.length;ot++){let _t=ht[ot],vt=r.convert(_t.format,_t.colorSpace),et=r.convert(_t.type),it=E(_t.internalFormat,vt,et,_t.normalized,_t.colorSpace);Mt(b)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,se(b),it,b.width,b.height):q?i.renderbufferStorageMultisample(i.RENDERBUFFER,se(b),it,b.width,b.height):i.renderbufferStorage(i.RENDERBUFFER,it,b.width,b.height)}}i.bindRenderbuffer(i.RENDERBUFFER,null)}function ve(R,b,q){let ht=b.isWebGLCubeRenderTarget===!0;if(e.bindFramebuffer(i.FRAMEBUFFER,R),!(b.depthTexture&&b.depthTexture.isDepthTexture))throw new Error("THREE.WebGLTextures: renderTarget.depthTexture must be an instance of THREE.DepthTexture.");let ot=n.get(b.depthTexture);ot.__renderTarget=b;let _t=ht?b.depthTexture.image[0]:b.depthTexture.image;(!ot.__webglTexture||_t.width!==b.width||_t.height!==b.height)&&(_t.width=b.width,_t.height=b.height,b.depthTexture.needsUpdate=!0),ht?St(b.depthTexture,0):mt(b.depthTexture,0);let vt=ot.__webglTexture,et=se(b),it=ht?i.TEXTURE_CUBE_MAP_POSITIVE_X+q:i.TEXTURE_2D,pt=b.depthTexture.format===Ms?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;if(b.depthTexture.format===_s)Mt(b)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,pt,it,vt,0,et):i.framebufferTexture2D(i.FRAMEBUFFER,pt,it,vt,0);else if(b.depthTexture.format===Ms)Mt(b)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,pt,it,vt,0,et):i.framebufferTexture2D(i.FRAMEBUFFER,pt,it,vt,0);else throw new Error("THREE.WebGLTextures: Unknown depthTexture format.")}function dn(R){let b=n.get(R),q=R.isWebGLCubeRenderTarget===!0;if(b.__boundDepthTexture!==R.depthTexture){let ht=R.depthTexture;if(b.__depthDisposeCallback&&b.__depthDisposeCallback(),ht){let ot=()=>{delete b.__boundDepthTexture,delete b.__depthDisposeCallback,ht.removeEventListener("dispose",ot)};ht.addEventListener("dispose",ot),b.__depthDisposeCallback=ot}b.__boundDepthTexture=ht}if(R.depthTexture&&!b.__autoAllocateDepthBuffer)if(q)for(let ht=0;ht<6;ht++)ve(b.__webglFramebuffer[ht],R,ht);else R.texture.mipmaps.length>0?ve(b.__webglFramebuffer[0],R,0):ve(b.__webglFramebuffer,R,0);else if(q){b.__webglDepthbuffer=[];for(let ht=0;ht<6;ht++)if(e.bindFramebuffer(i.FRAMEBUFFER,b.__webglFramebuffer[ht]),b.__webglDepthbuffer[ht]===void 0)b.__webglDepthbuffer[ht]=i.createRenderbuffer(),yn(b.__webglDepthbuffer[ht],R,!1);else{let ot=R.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,_t=b.__webglDepthbuffer[ht];i.bindRenderbuffer(i.RENDERBUFFER,_t),i.framebufferRenderbuffer(i.FRAMEBUFFER,ot,i.RENDERBUFFER,_t)}}else if(R.texture.mipmaps.length>0?e.bindFramebuffer(i.FRAMEBUFFER,b.__webglFramebuffer[0]):e.bindFramebuffer(i.FRAMEBUFFER,b.__webglFramebuffer),b.__webglDepthbuffer===void 0)b.__webglDepthbuffer=i.createRenderbuffer(),yn(b.__webglDepthbuffer,R,!1);else{let ot=R.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,_t=b.__webglDepthbuffer;i.bindRenderbuffer(i.RENDERBUFFER,_t),i.framebufferRenderbuffer(i.FRAMEBUFFER,ot,i.RENDERBUFFER,_t)}e.bindFramebuffer(i.FRAMEBUFFER,null)}function Ze(R,b,q){let ht=n.get(R);b!==void 0&&Ie(ht.__webglFramebuffer,R,R.texture,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,0),q!==void 0&&dn(R)}function rn(R){let b=R.texture,q=n.get(R),ht=n.get(b);R.addEventListener("dispose",z),k(R);let ot=R.textures,_t=R.isWebGLCubeRenderTarget===!0,vt=ot.length>1;if(vt||(ht.__webglTexture===void 0&&(ht.__webglTexture=i.createTexture()),ht.__version=b.version,o.memory.textures++),_t){q.__webglFramebuffer=[];for(let et=0;et<6;et++)if(b.mipmaps.length>0){q.__webglFramebuffer[et]=[];for(let it=0;it<b.mipmaps.length;it++)q.__webglFramebuffer[et][it]=i.createFramebuffer()}else q.__webglFramebuffer[et]=i.createFramebuffer()}else{if(b.mipmaps.length>0){q.__webglFramebuffer=[];for(let et=0;et<b.mipmaps.length;et++)q.__webglFramebuffer[et]=i.createFramebuffer()}else q.__webglFramebuffer=i.createFramebuffer();if(vt)for(let et=0,it=ot.length;et<it;et++){let pt=n.get(ot[et]);pt.__webglTexture===void 0&&(pt.__webglTexture=i.createTexture(),o.memory.textures++)}if(R.samples>0&&Mt(R)===!1){q.__webglMultisampledFramebuffer=i.createFramebuffer(),q.__webglColorRenderbuffer=[],e.bindFramebuffer(i.FRAMEBUFFER,q.__webglMultisampledFramebuffer);for(let et=0;et<ot.length;et++){let it=ot[et];q.__webglColorRenderbuffer[et]=i.createRenderbuffer(),i.bindRenderbuffer(i.RENDERBUFFER,q.__webglColorRenderbuffer[et]);let pt=r.convert(it.format,it.colorSpace),F=r.convert(it.type),rt=E(it.internalFormat,pt,F,it.normalized,it.colorSpace,R.isXRRenderTarget===!0),nt=se(R);i.renderbufferStorageMultisample(i.RENDERBUFFER,nt,rt,R.width,R.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+et,i.RENDERBUFFER,q.__webglColorRenderbuffer[et])}i.bindRenderbuffer(i.RENDERBUFFER,null),R.depthBuffer&&(q.__webglDepthRenderbuffer=i.createRenderbuffer(),yn(q.__webglDepthRenderbuffer,R,!0)),e.bindFramebuffer(i.FRAMEBUFFER,null)}}if(_t){e.bindTexture(i.TEXTURE_CUBE_MAP,ht.__webglTexture),ue(i.TEXTURE_CUBE_MAP,b);for(let et=0;et<6;et++)if(b.mipmaps.length>0)for(let it=0;it<b.mipmaps.length;it++)Ie(q.__webglFramebuffer[et][it],R,b,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+et,it);else Ie(q.__webglFramebuffer[et],R,b,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+et,0);A(b)?w(i.TEXTURE_CUBE_MAP):b.mipmaps.length>0&&i.texParameteri(i.TEXTURE_CUBE_MAP,i.TEXTURE_MAX_LEVEL,b.mipmaps.length-1),e.unbindTexture()}else if(vt){for(let et=0,it=ot.length;et<it;et++){let pt=ot[et],F=n.get(pt),rt=i.TEXTURE_2D;(R.isWebGL3DRenderTarget||R.isWebGLArrayRenderTarget)&&(rt=R.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),e.bindTexture(rt,F.__webglTexture),ue(rt,pt),Ie(q.__webglFramebuffer,R,pt,i.COLOR_ATTACHMENT0+et,rt,0),A(pt)&&w(rt)}e.unbindTexture()}else{let et=i.TEXTURE_2D;if((R.isWebGL3DRenderTarget||R.isWebGLArrayRenderTarget)&&(et=R.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),e.bindTexture(et,ht.__webglTexture),ue(et,b),b.mipmaps.length>0)for(let it=0;it<b.mipmaps.length;it++)Ie(q.__webglFramebuffer[it],R,b,i.COLOR_ATTACHMENT0,et,it);else Ie(q.__webglFramebuffer,R,b,i.COLOR_ATTACHMENT0,et,0);A(b)?w(et):b.mipmaps.length>0&&i.texParameteri(et,i.TEXTURE_MAX_LEVEL,b.mipmaps.length-1),e.unbindTexture()}R.depthBuffer&&dn(R)}function O(R){let b=R.textures;for(let q=0,ht=b.length;q<ht;q++){let ot=b[q];if(A(ot)&&ot.mipmapsAutoUpdate===!0){let _t=P(R),vt=n.get(ot).__webglTexture;e.bindTexture(_t,vt),w(_t),e.unbindTexture()}}}let Ct=[];function Yt(R){if(R.samples>0){if(Mt(R)===!1){let b=R.textures,q=R.width,ht=R.height,ot=i.COLOR_BUFFER_BIT,_t=R.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,vt=n.get(R),et=b.length>1;if(et)for(let pt=0;pt<b.length;pt++)e.bindFramebuffer(i.FRAMEBUFFER,vt.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+pt,i.RENDERBUFFER,null),e.bindFramebuffer(i.FRAMEBUFFER,vt.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+pt,i.TEXTURE_2D,null,0);e.bindFramebuffer(i.READ_FRAMEBUFFER,vt.__webglMultisampledFramebuffer),R.texture.mipmaps.length>0?e.bindFramebuffer(i.DRAW_FRAMEBUFFER,vt.__webglFramebuffer[0]):e.bindFramebuffer(i.DRAW_FRAMEBUFFER,vt.__webglFramebuffer);for(let pt=0;pt<b.length;pt++){if(R.resolveDepthBuffer&&(R.depthBuffer&&(ot|=i.DEPTH_BUFFER_BIT),R.stencilBuffer&&R.resolveStencilBuffer&&(ot|=i.STENCIL_BUFFER_BIT)),et){i.framebufferRenderbuffer(i.READ_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.RENDERBUFFER,vt.__webglColorRenderbuffer[pt]);let F=n.get(b[pt]).__webglTexture;i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,F,0)}i.blitFramebuffer(0,0,q,ht,0,0,q,ht,ot,i.NEAREST),c===!0&&(Ct.length=0,Ct.push(i.COLOR_ATTACHMENT0+pt),R.depthBuffer&&R.storeMultisampledDepthBuffer===!1&&Ct.push(_t),i.invalidateFramebuffer(i.READ_FRAMEBUFFER,Ct))}if(e.bindFramebuffer(i.READ_FRAMEBUFFER,null),e.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),et)for(let pt=0;pt<b.length;pt++){e.bindFramebuffer(i.FRAMEBUFFER,vt.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+pt,i.RENDERBUFFER,vt.__webglColorRenderbuffer[pt]);let F=n.get(b[pt]).__webglTexture;e.bindFramebuffer(i.FRAMEBUFFER,vt.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+pt,i.TEXTURE_2D,F,0)}e.bindFramebuffer(i.DRAW_FRAMEBUFFER,vt.__webglMultisampledFramebuffer)}else if(R.depthBuffer&&R.storeMultisampledDepthBuffer===!1&&c){let b=R.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;i.invalidateFramebuffer(i.DRAW_FRAMEBUFFER,[b])}}}function se(R){return Math.min(s.maxSamples,R.samples)}function Mt(R){let b=n.get(R);return R.samples>0&&t.has("WEBGL_multisampled_render_to_texture")===!0&&b.__useRenderToTexture!==!1}function Ue(R){let b=o.render.frame;u.get(R)!==b&&(u.set(R,b),R.update())}function zt(R,b){let q=R.colorSpace,ht=R.format,ot=R.type;return R.isCompressedTexture===!0||R.isVideoTexture===!0||q!==aa&&q!==ws&&(xe.getTransfer(q)===Ae?(ht!==Bi||ot!==jn)&&qt("WebGLTextures: sRGB encoded textures have to use RGBAFormat and UnsignedByteType."):Qt("WebGLTextures: Unsupported texture color space:",q)),b}function Xt(R){return typeof HTMLImageElement<"u"&&R instanceof HTMLImageElement?(l.width=R.naturalWidth||R.width,l.height=R.naturalHeight||R.height):typeof VideoFrame<"u"&&R instanceof VideoFrame?(l.width=R.displayWidth,l.height=R.displayHeight):(l.width=R.width,l.height=R.height),l}this.allocateTextureUnit=ut,this.resetTextureUnits=Q,this.getTextureUnits=st,this.setTextureUnits=dt,this.setTexture2D=mt,this.setTexture2DArray=xt,this.setTexture3D=At,this.setTextureCube=St,this.rebindTextures=Ze,this.setupRenderTarget=rn,this.updateRenderTargetMipmap=O,this.updateMultisampleRenderTarget=Yt,this.setupDepthRenderbuffer=dn,this.setupFrameBufferTexture=Ie,this.useMultisampledRTT=Mt,this.dispose=W}function jM(i,t){function e(n,s=ws){let r,o=xe.getTransfer(s);if(n===jn)return i.UNSIGNED_BYTE;if(n===Sc)return i.UNSIGNED_SHORT_4_4_4_4;if(n===Mc)return i.UNSIGNED_SHORT_5_5_5_1;if(n===id)return i.UNSIGNED_INT_5_9_9_9_REV;if(n===sd)return i.UNSIGNED_INT_10F_11F_11F_REV;if(n===ed)return i.BYTE;if(n===nd)return i.SHORT;if(n===Mo)return i.UNSIGNED_SHORT;if(n===bc)return i.INT;if(n===Fi)return i.UNSIGNED_INT;if(n===Si)return i.FLOAT;if(n===Oi)return i.HALF_FLOAT;if(n===rd)return i.ALPHA;if(n===od)return i.RGB;if(n===Bi)return i.RGBA;if(n===_s)return i.DEPTH_COMPONENT;if(n===Ms)return i.DEPTH_STENCIL;if(n===wc)return i.RED;if(n===Tc)return i.RED_INTEGER;if(n===Js)return i.RG;if(n===Ec)return i.RG_INTEGER;if(n===Ac)return i.RGBA_INTEGER;if(n===La||n===Na||n===Da||n===Ua)if(o===Ae)if(r=t.get("WEBGL_compressed_texture_s3tc_srgb"),r!==null){if(n===La)return r.COMPRESSED_SRGB_S3TC_DXT1_EXT;if(n===Na)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT;if(n===Da)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT;if(n===Ua)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}else return null;else if(r=t.get("WEBGL_compressed_texture_s3tc"),r!==null){if(n===La)return r.COMPRESSED_RGB_S3TC_DXT1_EXT;if(n===Na)return r.COMPRESSED_RGBA_S3TC_DXT1_EXT;if(n===Da)return r.COMPRESSED_RGBA_S3TC_DXT3_EXT;if(n===Ua)return r.COMPRESSED_RGBA_S3TC_DXT5_EXT}else return null;if(n===Rc||n===Cc||n===Pc||n===Ic)if(r=t.get("WEBGL_compressed_texture_pvrtc"),r!==null){if(n===Rc)return r.COMPRESSED_RGB_PVRTC_4BPPV1_IMG;if(n===Cc)return r.COMPRESSED_RGB_PVRTC_2BPPV1_IMG;if(n===Pc)return r.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;if(n===Ic)return r.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG}else return null;if(n===Lc||n===Nc||n===Dc||n===Uc||n===Fc||n===Fa||n===Oc)if(r=t.get("WEBGL_compressed_texture_etc"),r!==null){if(n===Lc||n===Nc)return o===Ae?r.COMPRESSED_SRGB8_ETC2:r.COMPRESSED_RGB8_ETC2;if(n===Dc)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC:r.COMPRESSED_RGBA8_ETC2_EAC;if(n===Uc)return r.COMPRESSED_R11_EAC;if(n===Fc)return r.COMPRESSED_SIGNED_R11_EAC;if(n===Fa)return r.COMPRESSED_RG11_EAC;if(n===Oc)return r.COMPRESSED_SIGNED_RG11_EAC}else return null;if(n===Bc||n===kc||n===zc||n===Vc||n===Gc||n===Hc||n===Wc||n===Xc||n===qc||n===Yc||n===$c||n===Zc||n===Jc||n===Kc)if(r=t.get("WEBGL_compressed_texture_astc"),r!==null){if(n===Bc)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR:r.COMPRESSED_RGBA_ASTC_4x4_KHR;if(n===kc)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR:r.COMPRESSED_RGBA_ASTC_5x4_KHR;if(n===zc)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR:r.COMPRESSED_RGBA_ASTC_5x5_KHR;if(n===Vc)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR:r.COMPRESSED_RGBA_ASTC_6x5_KHR;if(n===Gc)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR:r.COMPRESSED_RGBA_ASTC_6x6_KHR;if(n===Hc)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR:r.COMPRESSED_RGBA_ASTC_8x5_KHR;if(n===Wc)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR:r.COMPRESSED_RGBA_ASTC_8x6_KHR;if(n===Xc)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR:r.COMPRESSED_RGBA_ASTC_8x8_KHR;if(n===qc)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR:r.COMPRESSED_RGBA_ASTC_10x5_KHR;if(n===Yc)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR:r.COMPRESSED_RGBA_ASTC_10x6_KHR;if(n===$c)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR:r.COMPRESSED_RGBA_ASTC_10x8_KHR;if(n===Zc)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR:r.COMPRESSED_RGBA_ASTC_10x10_KHR;if(n===Jc)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR:r.COMPRESSED_RGBA_ASTC_12x10_KHR;if(n===Kc)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR:r.COMPRESSED_RGBA_ASTC_12x12_KHR}else return null;if(n===jc||n===Qc||n===th)if(r=t.get("EXT_texture_compression_bptc"),r!==null){if(n===jc)return o===Ae?r.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT:r.COMPRESSED_RGBA_BPTC_UNORM_EXT;if(n===Qc)return r.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT;if(n===th)return r.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT}else return null;if(n===eh||n===nh||n===Oa||n===ih)if(r=t.get("EXT_texture_compression_rgtc"),r!==null){if(n===eh)return r.COMPRESSED_RED_RGTC1_EXT;if(n===nh)return r.COMPRESSED_SIGNED_RED_RGTC1_EXT;if(n===Oa)return r.COMPRESSED_RED_GREEN_RGTC2_EXT;if(n===ih)return r.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT}else return null;return n===vr?i.UNSIGNED_INT_24_8:i[n]!==void 0?i[n]:null}return{convert:e}}var QM=`
void main() {

	gl_Position = vec4( position, 1.0 );

}`,tw=`
uniform sampler2DArray depthColor;
uniform float depthWidth;
uniform float depthHeight;

void main() {

	vec2 coord = vec2( gl_FragCoord.x / depthWidth, gl_FragCoord.y / depthHeight );

	if ( coord.x >= 1.0 ) {

		gl_FragDepth = texture( depthColor, vec3( coord.x - 1.0, coord.y, 1 ) ).r;

	} else {

		gl_FragDepth = texture( depthColor, vec3( coord.x, coord.y, 0 ) ).r;

	}

}`,Rd=class{constructor(){this.texture=null,this.mesh=null,this.depthNear=0,this.depthFar=0}init(t,e){if(this.texture===null){let n=new xa(t.texture);(t.depthNear!==e.depthNear||t.depthFar!==e.depthFar)&&(this.depthNear=t.depthNear,this.depthFar=t.depthFar),this.texture=n}}getMesh(t){if(this.texture!==null&&this.mesh===null){let e=t.cameras[0].viewport,n=new Ki({vertexShader:QM,fragmentShader:tw,uniforms:{depthColor:{value:this.texture},depthWidth:{value:e.z},depthHeight:{value:e.w}}});this.mesh=new Yn(new ya(20,20),n)}return this.mesh}reset(){this.texture=null,this.mesh=null}getDepthTexture(){return this.texture}},Cd=class extends Ui{constructor(t,e){super();let n=this,s=null,r=1,o=null,a="local-floor",c=1,l=null,u=null,d=null,h=null,f=null,p=null,v=typeof XRWebGLBinding<"u",m=new Rd,g={},y=e.getContextAttributes(),A=null,w=null,P=[],E=[],x=new Kt,T=null,k=null,U=new Wn;U.viewport=new Ye;let N=new Wn;N.viewport=new Ye;let z=[U,N],H=new gc,L=null,W=null;this.cameraAutoUpdate=!0,this.enabled=!1,this.isPresenting=!1,this.getController=function(tt){let mt=P[tt];return mt===void 0&&(mt=new po,P[tt]=mt),mt.getTargetRaySpace()},this.getControllerGrip=function(tt){let mt=P[tt];return mt===void 0&&(mt=new po,P[tt]=mt),mt.getGripSpace()},this.getHand=function(tt){let mt=P[tt];return mt===void 0&&(mt=new po,P[tt]=mt),mt.getHandSpace()};function $(tt){let mt=E.indexOf(tt.inputSource);if(mt===-1)return;let xt=P[mt];xt!==void 0&&(xt.update(tt.inputSource,tt.frame,l||o),xt.dispatchEvent({type:tt.type,data:tt.inputSource}))}function G(){s.removeEventListener("select",$),s.removeEventListener("selectstart",$),s.removeEventListener("selectend",$),s.removeEventListener("squeeze",$),s.removeEventListener("squeezestart",$),s.removeEventListener("squeezeend",$),s.removeEventListener("end",G),s.removeEventListener("inputsourceschange",ct);for(let tt=0;tt<P.length;tt++){let mt=E[tt];mt!==null&&(E[tt]=null,P[tt].disconnect(mt))}L=null,W=null,m.reset();for(let tt in g)delete g[tt];if(t.setRenderTarget(A),f=null,h=null,d=null,s=null,w=null,ut.stop(),n.isPresenting=!1,t.setPixelRatio(T),t.setSize(x.width,x.height,!1),k!==null){let tt=k.camera;tt.fov=k.fov,tt.zoom=k.zoom,tt.updateProjectionMatrix(),k=null}n.dispatchEvent({type:"sessionend"})}this.setFramebufferScaleFactor=function(tt){r=tt,n.isPresenting===!0&&qt("WebXRManager: Cannot change framebuffer scale while presenting.")},this.setReferenceSpaceType=function(tt){a=tt,n.isPresenting===!0&&qt("WebXRManager: Cannot change reference space type while presenting.")},this.getReferenceSpace=function(){return l||o},this.setReferenceSpace=function(tt){l=tt},this.getBaseLayer=function(){return h!==null?h:f},this.getBinding=function(){return d===null&&v&&(d=new XRWebGLBinding(s,e)),d},this.getFrame=function(){return p},this.getSession=function(){return s},this.setSession=async function(tt){if(s=tt,s!==null){if(A=t.getRenderTarget(),s.addEventListener("select",$),s.addEventListener("selectstart",$),s.addEventListener("selectend",$),s.addEventListener("squeeze",$),s.addEventListener("squeezestart",$),s.addEventListener("squeezeend",$),s.addEventListener("end",G),s.addEventListener("inputsourceschange",ct),y.xrCompatible!==!0&&await e.makeXRCompatible(),T=t.getPixelRatio(),t.getSize(x),v&&"createProjectionLayer"in XRWebGLBinding.prototype){let xt=null,At=null,St=null;y.depth&&(St=y.stencil?e.DEPTH24_STENCIL8:e.DEPTH_COMPONENT24,xt=y.stencil?Ms:_s,At=y.stencil?vr:Fi);let Ht={colorFormat:e.RGBA8,depthFormat:St,scaleFactor:r};d=this.getBinding(),h=d.createProjectionLayer(Ht),s.updateRenderState({layers:[h]}),t.setPixelRatio(1),t.setSize(h.textureWidth,h.textureHeight,!1),w=new di(h.textureWidth,h.textureHeight,{format:Bi,type:jn,depthTexture:new bs(h.textureWidth,h.textureHeight,At,void 0,void 0,void 0,void 0,void 0,void 0,xt),stencilBuffer:y.stencil,colorSpace:t.outputColorSpace,samples:y.antialias?4:0,resolveDepthBuffer:h.ignoreDepthValues===!1,resolveStencilBuffer:h.ignoreDepthValues===!1,storeMultisampledDepthBuffer:h.ignoreDepthValues===!1,storeMultisampledStencilBuffer:h.ignoreDepthValues===!1})}else{let xt={antialias:y.antialias,alpha:!0,depth:y.depth,stencil:y.stencil,framebufferScaleFactor:r};f=new XRWebGLLayer(s,e,xt),s.updateRenderState({baseLayer:f}),t.setPixelRatio(1),t.setSize(f.framebufferWidth,f.framebufferHeight,!1),w=new di(f.framebufferWidth,f.framebufferHeight,{format:Bi,type:jn,colorSpace:t.outputColorSpace,stencilBuffer:y.stencil,resolveDepthBuffer:f.ignoreDepthValues===!1,resolveStencilBuffer:f.ignoreDepthValues===!1,storeMultisampledDepthBuffer:f.ignoreDepthValues===!1,storeMultisampledStencilBuffer:f.ignoreDepthValues===!1})}w.isXRRenderTarget=!0,this.setFoveation(c),l=null,o=await s.requestReferenceSpace(a),ut.setContext(s),ut.start(),n.isPresenting=!0,n.dispatchEvent({type:"sessionstart"})}},this.getEnvironmentBlendMode=function(){if(s!==null)return s.environmentBlendMode},this.getDepthTexture=function(){return m.getDepthTexture()};function ct(tt){for(let mt=0;mt<tt.removed.length;mt++){let xt=tt.removed[mt],At=E.indexOf(xt);At>=0&&(E[At]=null,P[At].disconnect(xt))}for(let mt=0;mt<tt.added.length;mt++){let xt=tt.added[mt],At=E.indexOf(xt);if(At===-1){for(let Ht=0;Ht<P.length;Ht++)if(Ht>=E.length){E.push(xt),At=Ht;break}else if(E[Ht]===null){E[Ht]=xt,At=Ht;break}if(At===-1)break}let St=P[At];St&&St.connect(xt)}}function K(tt,mt){mt===null?tt.matrixWorld.copy(tt.matrix):tt.matrixWorld.multiplyMatrices(mt.matrixWorld,tt.matrix),tt.matrixWorldInverse.copy(tt.matrixWorld).invert()}this.updateCamera=function(tt){if(s===null)return;let mt=tt.near,xt=tt.far;m.texture!==null&&(m.depthNear>0&&(mt=m.depthNear),m.depthFar>0&&(xt=m.depthFar)),H.near=N.near=U.near=mt,H.far=N.far=U.far=xt,(L!==H.near||W!==H.far)&&(s.updateRenderState({depthNear:H.near,depthFar:H.far}),L=H.near,W=H.far),H.layers.mask=tt.layers.mask|6,U.layers.mask=H.layers.mask&-5,N.layers.mask=H.layers.mask&-3;let At=tt.parent,St=H.cameras;K(H,At);for(let Ht=0;Ht<St.length;Ht++)K(St[Ht],At);H.projectionMatrix.copy(U.projectionMatrix),H.projectionMatrixInverse.copy(U.projectionMatrixInverse),k===null&&tt.isPerspectiveCamera&&(k={camera:tt,fov:tt.fov,zoom:tt.zoom}),Q(tt,H,At)};function Q(tt,mt,xt){xt===null?tt.matrix.copy(mt.matrixWorld):(tt.matrix.copy(xt.matrixWorld),tt.matrix.invert(),tt.matrix.multiply(mt.matrixWorld)),tt.matrix.decompose(tt.position,tt.quaternion,tt.scale),tt.updateMatrixWorld(!0),tt.projectionMatrix.copy(mt.projectionMatrix),tt.projectionMatrixInverse.copy(mt.projectionMatrixInverse),tt.isPerspectiveCamera&&(tt.fov=uo*2*Math.atan(1/tt.projectionMatrix.elements[5]),tt.zoom=1)}this.getCamera=function(){return H},this.getFoveation=function(){if(!(h===null&&f===null))return c},this.setFoveation=function(tt){c=tt,h!==null&&(h.fixedFoveation=tt),f!==null&&f.fixedFoveation!==void 0&&(f.fixedFoveation=tt)},this.hasDepthSensing=function(){return m.texture!==null},this.getDepthSensingMesh=function(){return m.getMesh(H)},this.getCameraTexture=function(tt){return g[tt]};let st=null;function dt(tt,mt){if(u=mt.getViewerPose(l||o),p=mt,u!==null){let xt=u.views;f!==null&&(t.setRenderTargetFramebuffer(w,f.framebuffer),t.setRenderTarget(w));let At=!1;xt.length!==H.cameras.length&&(H.cameras.length=0,At=!0);for(let Vt=0;Vt<xt.length;Vt++){let ue=xt[Vt],le=null;if(f!==null)le=f.getViewport(ue);else{let Xe=d.getViewSubImage(h,ue);le=Xe.viewport,Vt===0&&(t.setRenderTargetTextures(w,Xe.colorTexture,Xe.depthStencilTexture),t.setRenderTarget(w))}let ee=z[Vt];ee===void 0&&(ee=new Wn,ee.layers.enable(Vt),ee.viewport=new Ye,z[Vt]=ee),ee.matrix.fromArray(ue.transform.matrix),ee.matrix.decompose(ee.position,ee.quaternion,ee.scale),ee.projectionMatrix.fromArray(ue.projectionMatrix),ee.projectionMatrixInverse.copy(ee.projectionMatrix).invert(),ee.viewport.set(le.x,le.y,le.width,le.height),Vt===0&&(H.matrix.copy(ee.matrix),H.matrix.decompose(H.position,H.quaternion,H.scale)),At===!0&&H.cameras.push(ee)}let St=s.enabledFeatures;if(St&&St.includes("depth-sensing")&&s.depthUsage=="gpu-optimized"&&v){d=n.getBinding();let Vt=d.getDepthInformation(xt[0]);Vt&&Vt.isValid&&Vt.texture&&m.init(Vt,s.renderState)}if(St&&St.includes("camera-access")&&v){t.state.unbindTexture(),d=n.getBinding();for(let Vt=0;Vt<xt.length;Vt++){let ue=xt[Vt].camera;if(ue){let le=g[ue];le||(le=new xa,g[ue]=le);let ee=d.getCameraImage(ue);le.sourceTexture=ee}}}}for(let xt=0;xt<P.length;xt++){let At=E[xt],St=P[xt];At!==null&&St!==void 0&&St.update(At,mt,l||o)}st&&st(tt,mt),mt.detectedPlanes&&n.dispatchEvent({type:"planesdetected",data:mt}),p=null}let ut=new Pg;ut.setAnimationLoop(dt),this.setAnimationLoop=function(tt){st=tt},this.dispose=function(){}}},ew=new Se,zg=new te;zg.set(-1,0,0,0,1,0,0,0,1);function nw(i,t){function e(m,g){m.matrixAutoUpdate===!0&&m.updateMatrix(),g.value.copy(m.matrix)}function n(m,g){g.color.getRGB(m.fogColor.value,gd(i)),g.isFog?(m.fogNear.value=g.near,m.fogFar.value=g.far):g.isFogExp2&&(m.fogDensity.value=g.density)}function s(m,g,y,A,w){g.isNodeMaterial?g.uniformsNeedUpdate=!1:g.isMeshBasicMaterial?r(m,g):g.isMeshLambertMaterial?(r(m,g),g.envMap&&(m.envMapIntensity.value=g.envMapIntensity)):g.isMeshToonMaterial?(r(m,g),d(m,g)):g.isMeshPhongMaterial?(r(m,g),u(m,g),g.envMap&&(m.envMapIntensity.value=g.envMapIntensity)):g.isMeshStandardMaterial?(r(m,g),h(m,g),g.isMeshPhysicalMaterial&&f(m,g,w)):g.isMeshMatcapMaterial?(r(m,g),p(m,g)):g.isMeshDepthMaterial?r(m,g):g.isMeshDistanceMaterial?(r(m,g),v(m,g)):g.isMeshNormalMaterial?r(m,g):g.isLineBasicMaterial?(o(m,g),g.isLineDashedMaterial&&a(m,g)):g.isPointsMaterial?c(m,g,y,A):g.isSpriteMaterial?l(m,g):g.isShadowMaterial?(m.color.value.copy(g.color),m.opacity.value=g.opacity):g.isShaderMaterial&&(g.uniformsNeedUpdate=!1)}function r(m,g){m.opacity.value=g.opacity,g.color&&m.diffuse.value.copy(g.color),g.emissive&&m.emissive.value.copy(g.emissive).multiplyScalar(g.emissiveIntensity),g.map&&(m.map.value=g.map,e(g.map,m.mapTransform)),g.alphaMap&&(m.alphaMap.value=g.alphaMap,e(g.alphaMap,m.alphaMapTransform)),g.bumpMap&&(m.bumpMap.value=g.bumpMap,e(g.bumpMap,m.bumpMapTransform),m.bumpScale.value=g.bumpScale,g.side===$n&&(m.bumpScale.value*=-1)),g.normalMap&&(m.normalMap.value=g.normalMap,e(g.normalMap,m.normalMapTransform),m.normalScale.value.copy(g.normalScale),g.side===$n&&m.normalScale.value.negate()),g.displacementMap&&(m.displacementMap.value=g.displacementMap,e(g.displacementMap,m.displacementMapTransform),m.displacementScale.value=g.displacementScale,m.displacementBias.value=g.displacementBias),g.emissiveMap&&(m.emissiveMap.value=g.emissiveMap,e(g.emissiveMap,m.emissiveMapTransform)),g.specularMap&&(m.specularMap.value=g.specularMap,e(g.specularMap,m.specularMapTransform)),g.alphaTest>0&&(m.alphaTest.value=g.alphaTest);let y=t.get(g),A=y.envMap,w=y.envMapRotation;A&&(m.envMap.value=A,m.envMapRotation.value.setFromMatrix4(ew.makeRotationFromEuler(w)).transpose(),A.isCubeTexture&&A.isRenderTargetTexture===!1&&m.envMapRotation.value.premultiply(zg),m.reflectivity.value=g.reflectivity,m.ior.value=g.ior,m.refractionRatio.value=g.refractionRatio),g.lightMap&&(m.lightMap.value=g.lightMap,m.lightMapIntensity.value=g.lightMapIntensity,e(g.lightMap,m.lightMapTransform)),g.aoMap&&(m.aoMap.value=g.aoMap,m.aoMapIntensity.value=g.aoMapIntensity,e(g.aoMap,m.aoMapTransform))}function o(m,g){m.diffuse.value.copy(g.color),m.opacity.value=g.opacity,g.map&&(m.map.value=g.map,e(g.map,m.mapTransform))}function a(m,g){m.dashSize.value=g.dashSize,m.totalSize.value=g.dashSize+g.gapSize,m.scale.value=g.scale}function c(m,g,y,A){m.diffuse.value.copy(g.color),m.opacity.value=g.opacity,m.size.value=g.size*y,m.scale.value=A*.5,g.map&&(m.map.value=g.map,e(g.map,m.uvTransform)),g.alphaMap&&(m.alphaMap.value=g.alphaMap,e(g.alphaMap,m.alphaMapTransform)),g.alphaTest>0&&(m.alphaTest.value=g.alphaTest)}function l(m,g){m.diffuse.value.copy(g.color),m.opacity.value=g.opacity,m.rotation.value=g.rotation,g.map&&(m.map.value=g.map,e(g.map,m.mapTransform)),g.alphaMap&&(m.alphaMap.value=g.alphaMap,e(g.alphaMap,m.alphaMapTransform)),g.alphaTest>0&&(m.alphaTest.value=g.alphaTest)}function u(m,g){m.specular.value.copy(g.specular),m.shininess.value=Math.max(g.shininess,1e-4)}function d(m,g){g.gradientMap&&(m.gradientMap.value=g.gradientMap)}function h(m,g){m.metalness.value=g.metalness,g.metalnessMap&&(m.metalnessMap.value=g.metalnessMap,e(g.metalnessMap,m.metalnessMapTransform)),m.roughness.value=g.roughness,g.roughnessMap&&(m.roughnessMap.value=g.roughnessMap,e(g.roughnessMap,m.roughnessMapTransform)),g.envMap&&(m.envMapIntensity.value=g.envMapIntensity)}function f(m,g,y){m.ior.value=g.ior,g.diffuseRoughness>0&&(m.diffuseRoughness.value=g.diffuseRoughness,g.diffuseRoughnessMap&&(m.diffuseRoughnessMap.value=g.diffuseRoughnessMap,e(g.diffuseRoughnessMap,m.diffuseRoughnessMapTransform))),g.sheen>0&&(m.sheenColor.value.copy(g.sheenColor).multiplyScalar(g.sheen),m.sheenRoughness.value=g.sheenRoughness,g.sheenColorMap&&(m.sheenColorMap.value=g.sheenColorMap,e(g.sheenColorMap,m.sheenColorMapTransform)),g.sheenRoughnessMap&&(m.sheenRoughnessMap.value=g.sheenRoughnessMap,e(g.sheenRoughnessMap,m.sheenRoughnessMapTransform))),g.clearcoat>0&&(m.clearcoat.value=g.clearcoat,m.clearcoatRoughness.value=g.clearcoatRoughness,g.clearcoatMap&&(m.clearcoatMap.value=g.clearcoatMap,e(g.clearcoatMap,m.clearcoatMapTransform)),g.clearcoatRoughnessMap&&(m.clearcoatRoughnessMap.value=g.clearcoatRoughnessMap,e(g.clearcoatRoughnessMap,m.clearcoatRoughnessMapTransform)),g.clearcoatNormalMap&&(m.clearcoatNormalMap.value=g.clearcoatNormalMap,e(g.clearcoatNormalMap,m.clearcoatNormalMapTransform),m.clearcoatNormalScale.value.copy(g.clearcoatNormalScale),g.side===$n&&m.clearcoatNormalScale.value.negate())),g.dispersion>0&&(m.dispersion.value=g.dispersion),g.retroreflectivity>0&&(m.retroreflectivity.value=g.retroreflectivity),g.iridescence>0&&(m.iridescence.value=g.iridescence,m.iridescenceIOR.value=g.iridescenceIOR,m.iridescenceThicknessMinimum.value=g.iridescenceThicknessMinimum,m.iridescenceThicknessMaximum.value=g.iridescenceThicknessMaximum,g.iridescenceMap&&(m.iridescenceMap.value=g.iridescenceMap,e(g.iridescenceMap,m.iridescenceMapTransform)),g.iridescenceThicknessMap&&(m.iridescenceThicknessMap.value=g.iridescenceThicknessMap,e(g.iridescenceThicknessMap,m.iridescenceThicknessMapTransform))),g.transmission>0&&(m.transmission.value=g.transmission,m.transmissionSamplerMap.value=y.texture,m.transmissionSamplerSize.value.set(y.width,y.height),g.transmissionMap&&(m.transmissionMap.value=g.transmissionMap,e(g.transmissionMap,m.transmissionMapTransform)),m.thickness.value=g.thickness,g.thicknessMap&&(m.thicknessMap.value=g.thicknessMap,e(g.thicknessMap,m.thicknessMapTransform)),m.attenuationDistance.value=g.attenuationDistance,m.attenuationColor.value.copy(g.attenuationColor)),g.anisotropy>0&&(m.anisotropyVector.value.set(g.anisotropy*Math.cos(g.anisotropyRotation),g.anisotropy*Math.sin(g.anisotropyRotation)),g.anisotropyMap&&(m.anisotropyMap.value=g.anisotropyMap,e(g.anisotropyMap,m.anisotropyMapTransform))),m.specularIntensity.value=g.specularIntensity,m.specularColor.value.copy(g.specularColor),g.specularColorMap&&(m.specularColorMap.value=g.specularColorMap,e(g.specularColorMap,m.specularColorMapTransform)),g.specularIntensityMap&&(m.specularIntensityMap.value=g.specularIntensityMap,e(g.specularIntensityMap,m.specularIntensityMapTransform))}function p(m,g){g.matcap&&(m.matcap.value=g.matcap)}function v(m,g){let y=t.get(g).light;m.referencePosition.value.setFromMatrixPosition(y.matrixWorld),m.nearDistance.value=y.shadow.camera.near,m.farDistance.value=y.shadow.camera.far}return{refreshFogUniforms:n,refreshMaterialUniforms:s}}function iw(i,t,e,n){let s={},r={};function o(y,A){let w=A.program;n.uniformBlockBinding(y,w,s[y.id])}function a(y,A){let w=s[y.id];w===void 0&&(p(y),w=c(y),s[y.id]=w,y.addEventListener("dispose",m));let P=A.program;n.updateUBOMapping(y,P);let E=t.render.frame;r[y.id]!==E&&(l(y),r[y.id]=E)}function c(y){let A=i.createBuffer(),w=y.__size,P=y.usage;return i.bindBuffer(i.UNIFORM_BUFFER,A),i.bufferData(i.UNIFORM_BUFFER,w,P),i.bindBuffer(i.UNIFORM_BUFFER,null),A}function l(y){let A=s[y.id],w=y.uniforms,P=y.__cache;i.bindBuffer(i.UNIFORM_BUFFER,A);for(let E=0,x=w.length;E<x;E++){let T=w[E];if(Array.isArray(T))for(let k=0,U=T.length;k<U;k++)u(T[k],E,k,P);else u(T,E,0,P)}i.bindBuffer(i.UNIFORM_BUFFER,null)}function u(y,A,w,P){if(h(y,A,w,P)===!0){let E=y.__offset,x=y.value;if(Array.isArray(x)){let T=0;for(let k=0;k<x.length;k++){let U=x[k],N=v(U,!0);d(U,y.__data,T),T+=N.storage/Float32Array.BYTES_PER_ELEMENT}}else d(x,y.__data,0);i.bufferSubData(i.UNIFORM_BUFFER,E,y.__data)}}function d(y,A,w){typeof y=="number"||typeof y=="boolean"?A[w]=y:y.isMatrix3?(A[w]=y.elements[0],A[w+1]=y.elements[1],A[w+2]=y.elements[2],A[w+3]=0,A[w+4]=y.elements[3],A[w+5]=y.elements[4],A[w+6]=y.elements[5],A[w+7]=0,A[w+8]=y.elements[6],A[w+9]=y.elements[7],A[w+10]=y.elements[8],A[w+11]=0):ArrayBuffer.isView(y)?A.set(y.subarray(0,A.length-w),w):y.toArray(A,w)}function h(y,A,w,P){let E=y.value,x=A+"_"+w;if(Array.isArray(E)){P[x]===void 0&&(P[x]=[]);let T=P[x],k=!1;for(let U=0;U<E.length;U++)f(E[U],T,U)===!0&&(k=!0);return k}return f(E,P,x)}function f(y,A,w){if(A[w]===void 0)return typeof y=="number"||typeof y=="boolean"?A[w]=y:ArrayBuffer.isView(y)?A[w]=y.slice():A[w]=y.clone(),!0;{let P=A[w];if(typeof y=="number"||typeof y=="boolean"){if(P!==y)return A[w]=y,!0}else{if(ArrayBuffer.isView(y))return!0;if(P.equals(y)===!1)return P.copy(y),!0}}return!1}function p(y){let A=y.uniforms,w=0,P=16;for(let x=0,T=A.length;x<T;x++){let k=Array.isArray(A[x])?A[x]:[A[x]];for(let U=0,N=k.length;U<N;U++){let z=k[U],H=Array.isArray(z.value)?z.value:[z.value],L=Array.isArray(A[x])||Array.isArray(z.value),W=w;for(let G=0,ct=H.length;G<ct;G++){let K=H[G],Q=v(K,L),st=w%P,dt=st%Q.boundary,ut=st+dt;w+=dt,ut!==0&&P-ut<Q.storage&&(w+=P-ut),G===0&&(W=w),w+=Q.storage}let $=z.type==="int"?Int32Array:z.type==="uint"?Uint32Array:Float32Array;z.__data=new $((w-W)/Float32Array.BYTES_PER_ELEMENT),z.__offset=W}}let E=w%P;return E>0&&(w+=P-E),y.__size=w,y.__cache={},this}function v(y,A){let w={boundary:0,storage:0};return typeof y=="number"||typeof y=="boolean"?(w.boundary=4,w.storage=4):y.isVector2?(w.boundary=8,w.storage=8):y.isVector3||y.isColor?(w.boundary=16,w.storage=12):y.isVector4?(w.boundary=16,w.storage=16):y.isMatrix3?(w.boundary=16,w.storage=48):y.isMatrix4?(w.boundary=16,w.storage=64):y.isTexture?qt("WebGLRenderer: Texture samplers can not be part of an uniforms group."):ArrayBuffer.isView(y)?(w.boundary=16,w.storage=y.byteLength):qt("WebGLRenderer: Unsupported uniform value type.",y),A===!0&&(w.boundary=16,w.storage=Math.ceil(w.storage/16)*16),w}function m(y){let A=y.target;A.removeEventListener("dispose",m),i.deleteBuffer(s[A.id]),delete s[A.id],delete r[A.id]}function g(){for(let y in s)i.deleteBuffer(s[y]);s={},r={}}return{bind:o,update:a,dispose:g}}var sw=new Uint16Array([12469,15057,12620,14925,13266,14620,13807,14376,14323,13990,14545,13625,14713,13328,14840,12882,14931,12528,14996,12233,15039,11829,15066,11525,15080,11295,15085,10976,15082,10705,15073,10495,13880,14564,13898,14542,13977,14430,14158,14124,14393,13732,14556,13410,14702,12996,14814,12596,14891,12291,14937,11834,14957,11489,14958,11194,14943,10803,14921,10506,14893,10278,14858,9960,14484,14039,14487,14025,14499,13941,14524,13740,14574,13468,14654,13106,14743,12678,14818,12344,14867,11893,14889,11509,14893,11180,14881,10751,14852,10428,14812,10128,14765,9754,14712,9466,14764,13480,14764,13475,14766,13440,14766,13347,14769,13070,14786,12713,14816,12387,14844,11957,14860,11549,14868,11215,14855,10751,14825,10403,14782,10044,14729,9651,14666,9352,14599,9029,14967,12835,14966,12831,14963,12804,14954,12723,14936,12564,14917,12347,14900,11958,14886,11569,14878,11247,14859,10765,14828,10401,14784,10011,14727,9600,14660,9289,14586,8893,14508,8533,15111,12234,15110,12234,15104,12216,15092,12156,15067,12010,15028,11776,14981,11500,14942,11205,14902,10752,14861,10393,14812,9991,14752,9570,14682,9252,14603,8808,14519,8445,14431,8145,15209,11449,15208,11451,15202,11451,15190,11438,15163,11384,15117,11274,15055,10979,14994,10648,14932,10343,14871,9936,14803,9532,14729,9218,14645,8742,14556,8381,14461,8020,14365,7603,15273,10603,15272,10607,15267,10619,15256,10631,15231,10614,15182,10535,15118,10389,15042,10167,14963,9787,14883,9447,14800,9115,14710,8665,14615,8318,14514,7911,14411,7507,14279,7198,15314,9675,15313,9683,15309,9712,15298,9759,15277,9797,15229,9773,15166,9668,15084,9487,14995,9274,14898,8910,14800,8539,14697,8234,14590,7790,14479,7409,14367,7067,14178,6621,15337,8619,15337,8631,15333,8677,15325,8769,15305,8871,15264,8940,15202,8909,15119,8775,15022,8565,14916,8328,14804,8009,14688,7614,14569,7287,14448,6888,14321,6483,14088,6171,15350,7402,15350,7419,15347,7480,15340,7613,15322,7804,15287,7973,15229,8057,15148,8012,15046,7846,14933,7611,14810,7357,14682,7069,14552,6656,14421,6316,14251,5948,14007,5528,15356,5942,15356,5977,15353,6119,15348,6294,15332,6551,15302,6824,15249,7044,15171,7122,15070,7050,14949,6861,14818,6611,14679,6349,14538,6067,14398,5651,14189,5311,13935,4958,15359,4123,15359,4153,15356,4296,15353,4646,15338,5160,15311,5508,15263,5829,15188,6042,15088,6094,14966,6001,14826,5796,14678,5543,14527,5287,14377,4985,14133,4586,13869,4257,15360,1563,15360,1642,15358,2076,15354,2636,15341,3350,15317,4019,15273,4429,15203,4732,15105,4911,14981,4932,14836,4818,14679,4621,14517,4386,14359,4156,14083,3795,13808,3437,15360,122,15360,137,15358,285,15355,636,15344,1274,15322,2177,15281,2765,15215,3223,15120,3451,14995,3569,14846,3567,14681,3466,14511,3305,14344,3121,14037,2800,13753,2467,15360,0,15360,1,15359,21,15355,89,15346,253,15325,479,15287,796,15225,1148,15133,1492,15008,1749,14856,1882,14685,1886,14506,1783,14324,1608,13996,1398,13702,1183]),ts=null;function rw(){return ts===null&&(ts=new pa(sw,16,16,Js,Oi),ts.name="DFG_LUT",ts.minFilter=Xn,ts.magFilter=Xn,ts.wrapS=Zi,ts.wrapT=Zi,ts.generateMipmaps=!1,ts.needsUpdate=!0),ts}var lh=class{constructor(t={}){let{canvas:e=Qm(),context:n=null,depth:s=!0,stencil:r=!1,alpha:o=!1,antialias:a=!1,premultipliedAlpha:c=!0,preserveDrawingBuffer:l=!1,powerPreference:u="default",failIfMajorPerformanceCaveat:d=!1,reversedDepthBuffer:h=!1,outputBufferType:f=jn}=t;this.isWebGLRenderer=!0;let p;if(n!==null){if(typeof WebGLRenderingContext<"u"&&n instanceof WebGLRenderingContext)throw new Error("THREE.WebGLRenderer: WebGL 1 is not supported since r163.");p=n.getContextAttributes().alpha}else p=o;let v=f,m=new Set([Ac,Ec,Tc]),g=new Set([jn,Fi,Mo,vr,Sc,Mc]),y=new Uint32Array(4),A=new Int32Array(4),w={textures:[],min:[],max:[],resolution:[]},P=null,E=null,x=[],T=[],k=null;this.domElement=e,this.debug={checkShaderErrors:!0,diagnostics:{keywords:!1},onShaderError:null},this.autoClear=!0,this.autoClearColor=!0,this.autoClearDepth=!0,this.autoClearStencil=!0,this.sortObjects=!0,this.clippingPlanes=[],this.localClippingEnabled=!1,this.toneMapping=Qi,this.toneMappingExposure=1,this.transmissionResolutionScale=1;let U=this,N=!1,z=null,H=null,L=null,W=null;this._outputColorSpace=ci;let $=0,G=0,ct=null,K=-1,Q=null,st=new Ye,dt=new Ye,ut=null,tt=new oe(0),mt=0,xt=e.width,At=e.height,St=1,Ht=null,ie=null,Vt=new Ye(0,0,xt,At),ue=new Ye(0,0,xt,At),le=!1,ee=new Hs,Xe=new jl,Be=!1,sn=!1,Ie=new Se,yn=new X,ve=new Ye,dn={background:null,fog:null,environment:null,overrideMaterial:null,isScene:!0},Ze=!1;function rn(){return ct===null?St:1}let O=n;function Ct(M,B){return e.getContext(M,B)}let Yt,se,Mt,Ue,zt,Xt,R,b,q,ht,ot,_t,vt,et,it,pt,F,rt,nt,wt,gt,bt,Gt;try{let M={alpha:!0,depth:s,stencil:r,antialias:a,premultipliedAlpha:c,preserveDrawingBuffer:l,powerPreference:u,failIfMajorPerformanceCaveat:d};if("setAttribute"in e&&e.setAttribute("data-engine",`three.js r${"187"}`),e.addEventListener("webglcontextlost",Ot,!1),e.addEventListener("webglcontextrestored",Jt,!1),e.addEventListener("webglcontextcreationerror",Rt,!1),O===null){let B="webgl2";if(O=Ct(B,M),O===null)throw Ct(B)?new Error("THREE.WebGLRenderer: Error creating WebGL context with your selected attributes."):new Error("THREE.WebGLRenderer: Error creating WebGL context.")}Zt()}catch(M){throw e.removeEventListener("webglcontextlost",Ot,!1),e.removeEventListener("webglcontextrestored",Jt,!1),e.removeEventListener("webglcontextcreationerror",Rt,!1),Qt("WebGLRenderer: "+M.message),M}function Zt(){Yt=new gS(O),Yt.init(),gt=new jM(O,Yt),se=new rS(O,Yt,t,gt),Mt=new JM(O,Yt),se.reversedDepthBuffer&&h&&Mt.buffers.depth.setReversed(!0),H=O.createFramebuffer(),L=O.createFramebuffer(),W=O.createFramebuffer(),Ue=new vS(O),zt=new FM,Xt=new KM(O,Yt,Mt,zt,se,gt,Ue),R=new mS(U),b=new bv(O),bt=new iS(O,b),q=new _S(O,b,Ue,bt),ht=new bS(O,q,b,bt,Ue),rt=new yS(O,se,Xt),it=new oS(zt),ot=new UM(U,R,Yt,se,bt,it),_t=new nw(U,zt),vt=new BM,et=new WM(Yt),F=new nS(U,R,Mt,ht,p,c),pt=new ZM(U,ht,se),Gt=new iw(O,Ue,se,Mt),nt=new sS(O,Yt,Ue),wt=new xS(O,Yt,Ue),Ue.programs=ot.programs,U.capabilities=se,U.extensions=Yt,U.properties=zt,U.renderLists=vt,U.shadowMap=pt,U.state=Mt,U.info=Ue}v!==jn&&(k=new MS(v,e.width,e.height,a,s,r));let lt=new Cd(U,O);this.xr=lt,this.getContext=function(){return O},this.getContextAttributes=function(){return O.getContextAttributes()},this.forceContextLoss=function(){let M=Yt.get("WEBGL_lose_context");M&&M.loseContext()},this.forceContextRestore=function(){let M=Yt.get("WEBGL_lose_context");M&&M.restoreContext()},this.getPixelRatio=function(){return St},this.setPixelRatio=function(M){M!==void 0&&(St=M,this.setSize(xt,At,!1))},this.getSize=function(M){return M.set(xt,At)},this.setSize=function(M,B,j=!0){if(lt.isPresenting){qt("WebGLRenderer: Can't change size while VR device is presenting.");return}xt=M,At=B,e.width=Math.floor(M*St),e.height=Math.floor(B*St),j===!0&&(e.style.width=M+"px",e.style.height=B+"px"),k!==null&&k.setSize(e.width,e.height),this.setViewport(0,0,M,B)},this.getDrawingBufferSize=function(M){return M.set(xt*St,At*St).floor()},this.setDrawingBufferSize=function(M,B,j){xt=M,At=B,St=j,e.width=Math.floor(M*j),e.height=Math.floor(B*j),this.setViewport(0,0,M,B)},this.setEffects=function(M){if(v===jn){Qt("WebGLRenderer: setEffects() requires outputBufferType set to HalfFloatType or FloatType.");return}if(M){for(let B=0;B<M.length;B++)if(M[B].isOutputPass===!0){qt("WebGLRenderer: OutputPass is not needed in setEffects(). Tone mapping and color space conversion are applied automatically.");break}}k.setEffects(M||[])},this.getCurrentViewport=function(M){return M.copy(st)},this.getViewport=function(M){return M.copy(Vt)},this.setViewport=function(M,B,j,Y){M.isVector4?Vt.set(M.x,M.y,M.z,M.w):Vt.set(M,B,j,Y),Mt.viewport(st.copy(Vt).multiplyScalar(rn()).round())},this.getScissor=function(M){return M.copy(ue)},this.setScissor=function(M,B,j,Y){M.isVector4?ue.set(M.x,M.y,M.z,M.w):ue.set(M,B,j,Y),Mt.scissor(dt.copy(ue).multiplyScalar(rn()).round())},this.getScissorTest=function(){return le},this.setScissorTest=function(M){Mt.setScissorTest(le=M)},this.setOpaqueSort=function(M){Ht=M},this.setTransparentSort=function(M){ie=M},this.getClearColor=function(M){return M.copy(F.getClearColor())},this.setClearColor=function(){F.setClearColor(...arguments)},this.getClearAlpha=function(){return F.getClearAlpha()},this.setClearAlpha=function(){F.setClearAlpha(...arguments)},this.clear=function(M=!0,B=!0,j=!0){let Y=0;if(M){let Z=!1;if(ct!==null){let Tt=ct.texture.format;Z=m.has(Tt)}if(Z){let Tt=ct.texture.type,Pt=g.has(Tt),Et=F.getClearColor(),It=F.getClearAlpha(),kt=Et.r,jt=Et.g,de=Et.b;Pt?(y[0]=kt,y[1]=jt,y[2]=de,y[3]=It,O.clearBufferuiv(O.COLOR,0,y)):(A[0]=kt,A[1]=jt,A[2]=de,A[3]=It,O.clearBufferiv(O.COLOR,0,A))}else Y|=O.COLOR_BUFFER_BIT}B&&(Y|=O.DEPTH_BUFFER_BIT,this.state.buffers.depth.setMask(!0)),j&&(Y|=O.STENCIL_BUFFER_BIT,this.state.buffers.stencil.setMask(4294967295)),Y!==0&&O.clear(Y)},this.clearColor=function(){this.clear(!0,!1,!1)},this.clearDepth=function(){this.clear(!1,!0,!1)},this.clearStencil=function(){this.clear(!1,!1,!0)},this.setNodesHandler=function(M){M.setRenderer(this),z=M},this.dispose=function(){e.removeEventListener("webglcontextlost",Ot,!1),e.removeEventListener("webglcontextrestored",Jt,!1),e.removeEventListener("webglcontextcreationerror",Rt,!1),F.dispose(),vt.dispose(),et.dispose(),Xt.dispose(),zt.dispose(),R.dispose(),ht.dispose(),q.dispose(),bt.dispose(),Gt.dispose(),ot.dispose(),lt.dispose(),lt.removeEventListener("sessionstart",Ha),lt.removeEventListener("sessionend",ki),ns.stop()};function Ot(M){M.preventDefault(),ud("WebGLRenderer: Context Lost."),N=!0}function Jt(){ud("WebGLRenderer: Context Restored."),N=!1;let M=Ue.autoReset,B=pt.enabled,j=pt.autoUpdate,Y=pt.needsUpdate,Z=pt.type;Zt(),Ue.autoReset=M,pt.enabled=B,pt.autoUpdate=j,pt.needsUpdate=Y,pt.type=Z}function Rt(M){Qt("WebGLRenderer: A WebGL context could not be created. Reason: ",M.statusMessage)}function ae(M){let B=M.target;B.removeEventListener("dispose",ae),ke(B)}function ke(M){Fn(M),zt.remove(M)}function Fn(M){let B=zt.get(M).programs;B!==void 0&&(B.forEach(function(j){ot.releaseProgram(j)}),M.isShaderMaterial&&ot.releaseShaderCache(M))}this.renderBufferDirect=function(M,B,j,Y,Z,Tt){B===null&&(B=dn);let Pt=Z.isMesh&&Z.matrixWorld.determinantAffine()<0,Et=Io(M,B,j,Y,Z);Mt.setMaterial(Y,Pt);let It=j.index,kt=1;if(Y.wireframe===!0){if(It=q.getWireframeAttribute(j),It===void 0)return;kt=2}let jt=j.drawRange,de=j.attributes.position,Bt=jt.start*kt,fe=(jt.start+jt.count)*kt;Tt!==null&&(Bt=Math.max(Bt,Tt.start*kt),fe=Math.min(fe,(Tt.start+Tt.count)*kt)),It!==null?(Bt=Math.max(Bt,0),fe=Math.min(fe,It.count)):de!=null&&(Bt=Math.max(Bt,0),fe=Math.min(fe,de.count));let $e=fe-Bt;if($e<0||$e===1/0)return;bt.setup(Z,Y,Et,j,It);let Re,Ce=nt;if(It!==null&&(Re=b.get(It),Ce=wt,Ce.setIndex(Re)),Z.isMesh)Y.wireframe===!0?(Mt.setLineWidth(Y.wireframeLinewidth*rn()),Ce.setMode(O.LINES)):Ce.setMode(O.TRIANGLES);else if(Z.isLine){let fn=Y.linewidth;fn===void 0&&(fn=1),Mt.setLineWidth(fn*rn()),Z.isLineSegments?Ce.setMode(O.LINES):Z.isLineLoop?Ce.setMode(O.LINE_LOOP):Ce.setMode(O.LINE_STRIP)}else Z.isPoints?Ce.setMode(O.POINTS):Z.isSprite&&Ce.setMode(O.TRIANGLES);if(Z.isBatchedMesh)if(Yt.get("WEBGL_multi_draw"))Ce.renderMultiDraw(Z._multiDrawStarts,Z._multiDrawCounts,Z._multiDrawCount);else{let fn=Z._multiDrawStarts,Ut=Z._multiDrawCounts,on=Z._multiDrawCount,ge=It?b.get(It).bytesPerElement:1,ss=zt.get(Y).currentProgram.getUniforms();for(let an=0;an<on;an++)ss.setValue(O,"_gl_DrawID",an),Ce.render(fn[an]/ge,Ut[an])}else if(Z.isInstancedMesh)Ce.renderInstances(Bt,$e,Z.count);else if(j.isInstancedBufferGeometry){let fn=j._maxInstanceCount!==void 0?j._maxInstanceCount:1/0,Ut=Math.min(j.instanceCount,fn);Ce.renderInstances(Bt,$e,Ut)}else Ce.render(Bt,$e)};function Ro(M,B,j,Y){z!==null&&M.isNodeMaterial&&z.setObject(Y,M),Be===!0&&it.setState(M,j,!1),M.transparent===!0&&M.side===ji&&M.forceSinglePass===!1?(M.side=$n,M.needsUpdate=!0,zi(M,B,Y),M.side=Zs,M.needsUpdate=!0,zi(M,B,Y),M.side=ji):zi(M,B,Y)}this.compile=function(M,B,j=null){j===null&&(j=M),z!==null&&z.renderStart(M,B,j),E=et.get(j),E.init(B),T.push(E),j.traverseVisible(function(Z){Z.isLight&&Z.layers.test(B.layers)&&(E.pushLight(Z),Z.castShadow&&E.pushShadow(Z))}),M!==j&&M.traverseVisible(function(Z){Z.isLight&&Z.layers.test(B.layers)&&(E.pushLight(Z),Z.castShadow&&E.pushShadow(Z))}),E.setupLights(),z!==null&&z.updateLights(E.state.lightsArray),sn=this.localClippingEnabled,Be=it.init(this.clippingPlanes,sn),Be===!0&&it.setGlobalState(this.clippingPlanes,B),z!==null&&pt.render(E.state.shadowsArray,j,B);let Y=new Set;return M.traverse(function(Z){if(!(Z.isMesh||Z.isPoints||Z.isLine||Z.isSprite))return;let Tt=Z.material;if(Tt)if(Array.isArray(Tt))for(let Pt=0;Pt<Tt.length;Pt++){let Et=Tt[Pt];Ro(Et,j,B,Z),Y.add(Et)}else Ro(Tt,j,B,Z),Y.add(Tt)}),E=T.pop(),z!==null&&z.renderEnd(),Y},this.compileAsync=function(M,B,j=null){let Y=this.compile(M,B,j);return new Promise(Z=>{function Tt(){if(Y.forEach(function(Pt){let It=zt.get(Pt).currentProgram;(It===void 0||It.isReady())&&Y.delete(Pt)}),Y.size===0){Z(M);return}setTimeout(Tt,10)}Yt.get("KHR_parallel_shader_compile")!==null?Tt():setTimeout(Tt,10)})};let br=null;function _h(M){br&&br(M)}function Ha(){ns.stop()}function ki(){ns.start()}let ns=new Pg;ns.setAnimationLoop(_h),typeof self<"u"&&ns.setContext(self),this.setAnimationLoop=function(M){br=M,lt.setAnimationLoop(M),M===null?ns.stop():ns.start()},lt.addEventListener("sessionstart",Ha),lt.addEventListener("sessionend",ki),this.render=function(M,B){if(B!==void 0&&B.isCamera!==!0){Qt("WebGLRenderer.render: camera is not an instance of THREE.Camera.");return}if(N===!0)return;z!==null&&z.renderStart(M,B);let j=lt.enabled===!0&&lt.isPresenting===!0,Y=k!==null&&(ct===null||j)&&k.begin(U,ct);if(M.matrixWorldAutoUpdate===!0&&M.updateMatrixWorld(),B.parent===null&&B.matrixWorldAutoUpdate===!0&&B.updateMatrixWorld(),lt.enabled===!0&&lt.isPresenting===!0&&(k===null||k.isCompositing()===!1)&&(lt.cameraAutoUpdate===!0&&lt.updateCamera(B),B=lt.getCamera()),M.isScene===!0&&M.onBeforeRender(U,M,B,ct),E=et.get(M,T.length),E.init(B),E.state.textureUnits=Xt.getTextureUnits(),T.push(E),Ie.multiplyMatrices(B.projectionMatrix,B.matrixWorldInverse),B.isArrayCamera?Xe.setFromArrayCamera(B):ee.setFromProjectionMatrix(Ie,bi,B.reversedDepth),sn=this.localClippingEnabled,Be=it.init(this.clippingPlanes,sn),P=vt.get(M,x.length),P.init(),x.push(P),this.info.render.frame++,lt.enabled===!0&&lt.isPresenting===!0){let Pt=U.xr.getDepthSensingMesh();Pt!==null&&is(Pt,B,-1/0,U.sortObjects)}is(M,B,0,U.sortObjects),P.finish(),z!==null&&z.updateLights(E.state.lightsArray),U.sortObjects===!0&&P.sort(Ht,ie),Ze=lt.enabled===!1||lt.isPresenting===!1||lt.hasDepthSensing()===!1,Ze&&F.addToRenderList(P,M),this.info.autoReset===!0&&this.info.reset(),Be===!0&&it.beginShadows();let Z=E.state.shadowsArray;if(pt.render(Z,M,B),Be===!0&&it.endShadows(),(Y&&k.hasRenderPass())===!1){let Pt=P.opaque,Et=P.transmissive;if(E.setupLights(),B.isArrayCamera){let It=B.cameras;if(Et.length>0)for(let kt=0,jt=It.length;kt<jt;kt++){let de=It[kt];Mi(Pt,Et,M,de)}Ze&&F.render(M);for(let kt=0,jt=It.length;kt<jt;kt++){let de=It[kt];Co(P,M,de,de.viewport)}}else Et.length>0&&Mi(Pt,Et,M,B),Ze&&F.render(M),Co(P,M,B)}ct!==null&&G===0&&(Xt.updateMultisampleRenderTarget(ct),Xt.updateRenderTargetMipmap(ct)),Y&&k.end(U),M.isScene===!0&&M.onAfterRender(U,M,B),bt.resetDefaultState(),K=-1,Q=null,T.pop(),T.length>0?(E=T[T.length-1],Xt.setTextureUnits(E.state.textureUnits),Be===!0&&it.setGlobalState(U.clippingPlanes,E.state.camera)):E=null,x.pop(),x.length>0?P=x[x.length-1]:P=null,z!==null&&z.renderEnd()};function is(M,B,j,Y){if(M.visible===!1)return;if(M.layers.test(B.layers)){if(M.isGroup)j=M.renderOrder;else if(M.isLOD)M.autoUpdate===!0&&M.update(B);else if(M.isLight)E.pushLight(M),M.castShadow&&E.pushShadow(M);else if(M.isSprite){let Pt=B.isArrayCamera?Xe:ee;if(!M.frustumCulled||M.intersectsFrustum(Pt)){Y&&ve.setFromMatrixPosition(M.matrixWorld).applyMatrix4(Ie);let Et=ht.update(M),It=M.material;It.visible&&P.push(M,Et,It,j,ve.z,null,B)}}else if(M.isMesh||M.isLine||M.isPoints){let Pt=B.isArrayCamera?Xe:ee;if(!M.frustumCulled||M.intersectsFrustum(Pt)){let Et=ht.update(M),It=M.material;if(Y&&(M.boundingSphere!==void 0?(M.boundingSphere===null&&M.computeBoundingSphere(),ve.copy(M.boundingSphere.center)):(Et.boundingSphere===null&&Et.computeBoundingSphere(),ve.copy(Et.boundingSphere.center)),ve.applyMatrix4(M.matrixWorld).applyMatrix4(Ie)),Array.isArray(It)){let kt=Et.groups;for(let jt=0,de=kt.length;jt<de;jt++){let Bt=kt[jt],fe=It[Bt.materialIndex];fe&&fe.visible&&P.push(M,Et,fe,j,ve.z,Bt,B)}}else It.visible&&P.push(M,Et,It,j,ve.z,null,B)}}}let Tt=M.children;for(let Pt=0,Et=Tt.length;Pt<Et;Pt++)is(Tt[Pt],B,j,Y)}function Co(M,B,j,Y){let{opaque:Z,transmissive:Tt,transparent:Pt}=M;E.setupLightsView(j),Be===!0&&it.setGlobalState(U.clippingPlanes,j),Y&&Mt.viewport(st.copy(Y)),Z.length>0&&Je(Z,B,j),Tt.length>0&&Je(Tt,B,j),Pt.length>0&&Je(Pt,B,j),Mt.buffers.depth.setTest(!0),Mt.buffers.depth.setMask(!0),Mt.buffers.color.setMask(!0),Mt.setPolygonOffset(!1)}function Mi(M,B,j,Y){if((j.isScene===!0?j.overrideMaterial:null)!==null)return;if(E.state.transmissionRenderTarget[Y.id]===void 0){let Bt=Yt.has("EXT_color_buffer_half_float")||Yt.has("EXT_color_buffer_float");E.state.transmissionRenderTarget[Y.id]=new di(1,1,{generateMipmaps:!0,type:Bt?Oi:jn,minFilter:Ss,samples:Math.max(4,se.samples),stencilBuffer:r,resolveDepthBuffer:!1,resolveStencilBuffer:!1,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,colorSpace:xe.workingColorSpace})}let Tt=E.state.transmissionRenderTarget[Y.id],Pt=Y.viewport||st;Tt.setSize(Pt.z*U.transmissionResolutionScale,Pt.w*U.transmissionResolutionScale);let Et=U.getRenderTarget(),It=U.getActiveCubeFace(),kt=U.getActiveMipmapLevel();U.setRenderTarget(Tt),U.getClearColor(tt),mt=U.getClearAlpha(),mt<1&&U.setClearColor(16777215,.5),U.clear(),Ze&&F.render(j);let jt=U.toneMapping;U.toneMapping=Qi;let de=Y.viewport;if(Y.viewport!==void 0&&(Y.viewport=void 0),E.setupLightsView(Y),Be===!0&&it.setGlobalState(U.clippingPlanes,Y),Je(M,j,Y),Xt.updateMultisampleRenderTarget(Tt),Xt.updateRenderTargetMipmap(Tt),Yt.has("WEBGL_multisampled_render_to_texture")===!1){let Bt=!1;for(let fe=0,$e=B.length;fe<$e;fe++){let Re=B[fe],{object:Ce,geometry:fn,material:Ut,group:on}=Re;if(Ut.side===ji&&Ce.layers.test(Y.layers)){let ge=Ut.side;Ut.side=$n,Ut.needsUpdate=!0,en(Ce,j,Y,fn,Ut,on),Ut.side=ge,Ut.needsUpdate=!0,Bt=!0}}Bt===!0&&(Xt.updateMultisampleRenderTarget(Tt),Xt.updateRenderTargetMipmap(Tt))}U.setRenderTarget(Et,It,kt),U.setClearColor(tt,mt),de!==void 0&&(Y.viewport=de),U.toneMapping=jt}function Je(M,B,j){let Y=B.isScene===!0?B.overrideMaterial:null;for(let Z=0,Tt=M.length;Z<Tt;Z++){let Pt=M[Z],{object:Et,geometry:It,group:kt}=Pt,jt=Pt.material;jt.allowOverride===!0&&Y!==null&&(jt=Y),Et.layers.test(j.layers)&&en(Et,B,j,It,jt,kt)}}function en(M,B,j,Y,Z,Tt){z!==null&&Z.isNodeMaterial&&z.setObject(M,Z),M.onBeforeRender(U,B,j,Y,Z,Tt),M.modelViewMatrix.multiplyMatrices(j.matrixWorldInverse,M.matrixWorld),M.normalMatrix.getNormalMatrix(M.modelViewMatrix),Z.onBeforeRender(U,B,j,Y,M,Tt),Z.transparent===!0&&Z.side===ji&&Z.forceSinglePass===!1?(Z.side=$n,Z.needsUpdate=!0,U.renderBufferDirect(j,B,Y,Z,M,Tt),Z.side=Zs,Z.needsUpdate=!0,U.renderBufferDirect(j,B,Y,Z,M,Tt),Z.side=ji):U.renderBufferDirect(j,B,Y,Z,M,Tt),M.onAfterRender(U,B,j,Y,Z,Tt)}function nn(M){let B=0;for(let j of M)j.texture!==null&&B++;return B}function zi(M,B,j){B.isScene!==!0&&(B=dn);let Y=zt.get(M),Z=E.state.lights,Tt=E.state.shadowsArray,Pt=Z.state.version,Et=ot.getParameters(M,Z.state,Tt,B,j,E.state.lightProbeGridArray),It=ot.getProgramCacheKey(Et),kt=Y.programs;Y.environment=M.isMeshStandardMaterial||M.isMeshLambertMaterial||M.isMeshPhongMaterial?B.environment:null,Y.fog=B.fog;let jt=M.isMeshStandardMaterial||M.isMeshLambertMaterial&&!M.envMap||M.isMeshPhongMaterial&&!M.envMap;Y.envMap=R.get(M.envMap||Y.environment,jt),Y.envMapRotation=Y.environment!==null&&M.envMap===null?B.environmentRotation:M.envMapRotation,kt===void 0&&(M.addEventListener("dispose",ae),kt=new Map,Y.programs=kt,Y.programVariants=new Map);let de=kt.get(It);if(de!==void 0){if(Y.currentProgram===de&&Y.lightsStateVersion===Pt)return Po(M,Et),de}else Et.uniforms=ot.getUniforms(M),z!==null&&M.isNodeMaterial&&z.build(M,j,Et),M.onBeforeCompile(Et,U),de=ot.acquireProgram(Et,It),kt.set(It,de),Y.uniforms=Et.uniforms;let Bt=Y.uniforms;return(!M.isShaderMaterial&&!M.isRawShaderMaterial||M.clipping===!0)&&(Bt.clippingPlanes=it.uniform),Po(M,Et),Y.needsLights=Es(M),Y.lightsStateVersion=Pt,Y.needsLights&&(Bt.ambientLightColor.value=Z.state.ambient,Bt.lightProbe.value=Z.state.probe,Bt.sunLights.value=Z.state.sun,Bt.sunLightShadows.value=Z.state.sunShadow,Bt.directionalLights.value=Z.state.directional,Bt.directionalLightShadows.value=Z.state.directionalShadow,Bt.spotLights.value=Z.state.spot,Bt.spotLightShadows.value=Z.state.spotShadow,Bt.rectAreaLights.value=Z.state.rectArea,Bt.ltc_1.value=Z.state.rectAreaLTC1,Bt.ltc_2.value=Z.state.rectAreaLTC2,Bt.pointLights.value=Z.state.point,Bt.pointLightShadows.value=Z.state.pointShadow,Bt.hemisphereLights.value=Z.state.hemi,Bt.sunShadowMatrix.value=Z.state.sunShadowMatrix,Bt.sunShadowCascade.value=Z.state.sunShadowCascade,Bt.directionalShadowMatrix.value=Z.state.directionalShadowMatrix,Bt.spotLightMatrix.value=Z.state.spotLightMatrix,Bt.spotLightMap.value=Z.state.spotLightMap,Bt.pointShadowMatrix.value=Z.state.pointShadowMatrix),Y.numLightProbeGrids=nn(E.state.lightProbeGridArray),Y.currentProgram=de,Y.uniformsList=null,de}function ti(M,B,j,Y,Z){let Tt=zt.get(M),Pt=Tt.currentProgram.id+","+Y+","+Z,Et=Tt.programVariants.get(Pt);return Et===void 0?(Et=zi(M,B,j),Tt.programVariants.set(Pt,Et)):(Tt.currentProgram=Et,Tt.uniformsList=null,Tt.outputColorSpace=Y,Tt.toneMapping=Z),Et}function Ts(M){if(M.uniformsList===null){let B=M.currentProgram.getUniforms();M.uniformsList=To.seqWithValue(B.seq,M.uniforms)}return M.uniformsList}function Po(M,B){let j=zt.get(M);j.outputColorSpace=B.outputColorSpace,j.batching=B.batching,j.batchingColor=B.batchingColor,j.instancing=B.instancing,j.instancingColor=B.instancingColor,j.instancingMorph=B.instancingMorph,j.skinning=B.skinning,j.morphTargets=B.morphTargets,j.morphNormals=B.morphNormals,j.morphColors=B.morphColors,j.morphTargetsCount=B.morphTargetsCount,j.numClippingPlanes=B.numClippingPlanes,j.numIntersection=B.numClipIntersection,j.vertexAlphas=B.vertexAlphas,j.vertexTangents=B.vertexTangents,j.toneMapping=B.toneMapping}function Io(M,B,j,Y,Z){B.isScene!==!0&&(B=dn),Xt.resetTextureUnits();let Tt=B.fog,Pt=Y.isMeshStandardMaterial||Y.isMeshLambertMaterial||Y.isMeshPhongMaterial?B.environment:null,Et=ct===null?U.outputColorSpace:ct.isXRRenderTarget===!0?ct.texture.colorSpace:xe.workingColorSpace,It=Y.isMeshStandardMaterial||Y.isMeshLambertMaterial&&!Y.envMap||Y.isMeshPhongMaterial&&!Y.envMap,kt=R.get(Y.envMap||Pt,It),jt=Y.vertexColors===!0&&!!j.attributes.color&&j.attributes.color.itemSize===4,de=!!j.attributes.tangent&&(!!Y.normalMap||Y.anisotropy>0),Bt=!!j.morphAttributes.position,fe=!!j.morphAttributes.normal,$e=!!j.morphAttributes.color,Re=Qi;Y.toneMapped&&(ct===null||ct.isXRRenderTarget===!0)&&(Re=U.toneMapping);let Ce=j.morphAttributes.position||j.morphAttributes.normal||j.morphAttributes.color,fn=Ce!==void 0?Ce.length:0,Ut=zt.get(Y),on=E.state.lights;if(Be===!0&&(sn===!0||M!==Q)){let Pe=M===Q&&Y.id===K;it.setState(Y,M,Pe)}let ge=!1,ss=!1;Y.version===Ut.__version?Ut.needsLights&&Ut.lightsStateVersion!==on.state.version||Z.isBatchedMesh&&Ut.batching===!1||!Z.isBatchedMesh&&Ut.batching===!0||Z.isBatchedMesh&&Ut.batchingColor===!0&&Z._colorsTexture===null||Z.isBatchedMesh&&Ut.batchingColor===!1&&Z._colorsTexture!==null||Z.isInstancedMesh&&Ut.instancing===!1||!Z.isInstancedMesh&&Ut.instancing===!0||Z.isSkinnedMesh&&Ut.skinning===!1||!Z.isSkinnedMesh&&Ut.skinning===!0||Z.isInstancedMesh&&Ut.instancingColor===!0&&Z.instanceColor===null||Z.isInstancedMesh&&Ut.instancingColor===!1&&Z.instanceColor!==null||Z.isInstancedMesh&&Ut.instancingMorph===!0&&Z.morphTexture===null||Z.isInstancedMesh&&Ut.instancingMorph===!1&&Z.morphTexture!==null||Ut.envMap!==kt||Y.fog===!0&&Ut.fog!==Tt||Ut.numClippingPlanes!==void 0&&(Ut.numClippingPlanes!==it.numPlanes||Ut.numIntersection!==it.numIntersection)||Ut.vertexAlphas!==jt||Ut.vertexTangents!==de||Ut.morphTargets!==Bt||Ut.morphNormals!==fe||Ut.morphColors!==$e||Ut.morphTargetsCount!==fn||Ut.numLightProbeGrids!==nn(E.state.lightProbeGridArray)?ge=!0:(Ut.outputColorSpace!==Et||Ut.toneMapping!==Re)&&(ss=!0):(ge=!0,Ut.__version=Y.version);let an=Ut.currentProgram;(ge===!0||ss===!0)&&(an=ss===!0?ti(Y,B,Z,Et,Re):zi(Y,B,Z),z&&Y.isNodeMaterial&&z.onUpdateProgram(Y,an,Ut));let wr=!1,Vi=!1,rs=!1,ce=an.getUniforms(),Ke=Ut.uniforms;if(Mt.useProgram(an.program)&&(wr=!0,Vi=!0,rs=!0),Y.id!==K&&(K=Y.id,Vi=!0),wr||Q!==M){Mt.buffers.depth.getReversed()&&M.reversedDepth!==!0&&(M._reversedDepth=!0,M.updateProjectionMatrix()),ce.setValue(O,"projectionMatrix",M.projectionMatrix),ce.setValue(O,"viewMatrix",M.matrixWorldInverse);let ln=ce.map.cameraPosition;ln!==void 0&&ln.setValue(O,yn.setFromMatrixPosition(M.matrixWorld)),se.logarithmicDepthBuffer&&ce.setValue(O,"logDepthBufFC",2/(Math.log(M.far+1)/Math.LN2)),(Y.isMeshPhongMaterial||Y.isMeshToonMaterial||Y.isMeshLambertMaterial||Y.isMeshBasicMaterial||Y.isMeshStandardMaterial||Y.isShaderMaterial)&&ce.setValue(O,"isOrthographic",M.isOrthographicCamera===!0),Q!==M&&(Q=M,Vi=!0,rs=!0)}if(Ut.needsLights&&(on.state.sunShadowMap.length>0&&ce.setValue(O,"sunShadowMap",on.state.sunShadowMap,Xt),on.state.directionalShadowMap.length>0&&ce.setValue(O,"directionalShadowMap",on.state.directionalShadowMap,Xt),on.state.spotShadowMap.length>0&&ce.setValue(O,"spotShadowMap",on.state.spotShadowMap,Xt),on.state.pointShadowMap.length>0&&ce.setValue(O,"pointShadowMap",on.state.pointShadowMap,Xt)),Z.isSkinnedMesh){ce.setOptional(O,Z,"bindMatrix"),ce.setOptional(O,Z,"bindMatrixInverse");let Pe=Z.skeleton;Pe&&(Pe.boneTexture===null&&Pe.computeBoneTexture(),ce.setValue(O,"boneTexture",Pe.boneTexture,Xt))}Z.isBatchedMesh&&(ce.setOptional(O,Z,"batchingTexture"),ce.setValue(O,"batchingTexture",Z._matricesTexture,Xt),ce.setOptional(O,Z,"batchingIdTexture"),ce.setValue(O,"batchingIdTexture",Z._indirectTexture,Xt),ce.setOptional(O,Z,"batchingColorTexture"),Z._colorsTexture!==null&&ce.setValue(O,"batchingColorTexture",Z._colorsTexture,Xt));let On=j.morphAttributes;if((On.position!==void 0||On.normal!==void 0||On.color!==void 0)&&rt.update(Z,j,an),(Vi||Ut.receiveShadow!==Z.receiveShadow)&&(Ut.receiveShadow=Z.receiveShadow,ce.setValue(O,"receiveShadow",Z.receiveShadow)),(Y.isMeshStandardMaterial||Y.isMeshLambertMaterial||Y.isMeshPhongMaterial)&&Y.envMap===null&&B.environment!==null&&(Ke.envMapIntensity.value=B.environmentIntensity),Ke.dfgLUT!==void 0&&(Ke.dfgLUT.value=rw()),Vi){if(ce.setValue(O,"toneMappingExposure",U.toneMappingExposure),Ut.needsLights&&Sr(Ke,rs),Tt&&Y.fog===!0&&_t.refreshFogUniforms(Ke,Tt),_t.refreshMaterialUniforms(Ke,Y,St,At,E.state.transmissionRenderTarget[M.id]),Ut.needsLights&&Ut.numLightProbeGrids>0){let Pe=w,ln=0;for(let In of E.state.lightProbeGridArray)In.texture!==null&&(Pe.textures[ln]=In.texture,Pe.min[ln]=In.boundingBox.min,Pe.max[ln]=In.boundingBox.max,Pe.resolution[ln]=In.resolution,ln++);for(let In in Pe)Pe[In].length=ln;Ke.probesSH.value=Pe.textures,Ke.probesMin.value=Pe.min,Ke.probesMax.value=Pe.max,Ke.probesResolution.value=Pe.resolution}To.upload(O,Ts(Ut),Ke,Xt)}if(Y.isShaderMaterial&&Y.uniformsNeedUpdate===!0&&(To.upload(O,Ts(Ut),Ke,Xt),Y.uniformsNeedUpdate=!1),Y.isSpriteMaterial&&ce.setValue(O,"center",Z.center),ce.setValue(O,"modelViewMatrix",Z.modelViewMatrix),ce.setValue(O,"normalMatrix",Z.normalMatrix),ce.setValue(O,"modelMatrix",Z.matrixWorld),Y.uniformsGroups!==void 0){let Pe=Y.uniformsGroups;for(let ln=0,In=Pe.length;ln<In;ln++){let Wa=Pe[ln];Gt.update(Wa,an),Gt.bind(Wa,an)}}return an}function Sr(M,B){M.ambientLightColor.needsUpdate=B,M.lightProbe.needsUpdate=B,M.sunLights.needsUpdate=B,M.sunLightShadows.needsUpdate=B,M.directionalLights.needsUpdate=B,M.directionalLightShadows.needsUpdate=B,M.pointLights.needsUpdate=B,M.pointLightShadows.needsUpdate=B,M.spotLights.needsUpdate=B,M.spotLightShadows.needsUpdate=B,M.rectAreaLights.needsUpdate=B,M.hemisphereLights.needsUpdate=B}function Es(M){return M.isMeshLambertMaterial||M.isMeshToonMaterial||M.isMeshPhongMaterial||M.isMeshStandardMaterial||M.isShadowMaterial||M.isShaderMaterial&&M.lights===!0}this.getActiveCubeFace=function(){return $},this.getActiveMipmapLevel=function(){return G},this.getRenderTarget=function(){return ct},this.setRenderTargetTextures=function(M,B,j){let Y=zt.get(M);Y.__autoAllocateDepthBuffer=M.resolveDepthBuffer===!1,Y.__autoAllocateDepthBuffer===!1&&(Y.__useRenderToTexture=!1),zt.get(M.texture).__webglTexture=B,zt.get(M.depthTexture).__webglTexture=Y.__autoAllocateDepthBuffer?void 0:j,Y.__hasExternalTextures=!0},this.setRenderTargetFramebuffer=function(M,B){let j=zt.get(M);j.__webglFramebuffer=B,j.__useDefaultFramebuffer=B===void 0},this.setRenderTarget=function(M,B=0,j=0){ct=M,$=B,G=j;let Y=null,Z=!1,Tt=!1;if(M){let Et=zt.get(M);if(Et.__useDefaultFramebuffer!==void 0){Mt.bindFramebuffer(O.FRAMEBUFFER,Et.__webglFramebuffer),st.copy(M.viewport),dt.copy(M.scissor),ut=M.scissorTest,Mt.viewport(st),Mt.scissor(dt),Mt.setScissorTest(ut),K=-1;return}else if(Et.__webglFramebuffer===void 0)Xt.setupRenderTarget(M);else if(Et.__hasExternalTextures)Xt.rebindTextures(M,zt.get(M.texture).__webglTexture,zt.get(M.depthTexture).__webglTexture);else if(M.depthBuffer){let jt=M.depthTexture;if(Et.__boundDepthTexture!==jt){if(jt!==null&&zt.has(jt)&&(M.width!==jt.image.width||M.height!==jt.image.height))throw new Error("THREE.WebGLRenderer: Attached DepthTexture is initialized to the incorrect size.");Xt.setupDepthRenderbuffer(M)}}let It=M.texture;(It.isData3DTexture||It.isDataArrayTexture||It.isCompressedArrayTexture)&&(Tt=!0);let kt=zt.get(M).__webglFramebuffer;M.isWebGLCubeRenderTarget?(Array.isArray(kt[B])?Y=kt[B][j]:Y=kt[B],Z=!0):M.samples>0&&Xt.useMultisampledRTT(M)===!1?Y=zt.get(M).__webglMultisampledFramebuffer:Array.isArray(kt)?Y=kt[j]:Y=kt,st.copy(M.viewport),dt.copy(M.scissor),ut=M.scissorTest}else st.copy(Vt).multiplyScalar(St).floor(),dt.copy(ue).multiplyScalar(St).floor(),ut=le;if(j!==0&&(Y=H),Mt.bindFramebuffer(O.FRAMEBUFFER,Y)&&Mt.drawBuffers(M,Y),Mt.viewport(st),Mt.scissor(dt),Mt.setScissorTest(ut),Z){let Et=zt.get(M.texture);O.framebufferTexture2D(O.FRAMEBUFFER,O.COLOR_ATTACHMENT0,O.TEXTURE_CUBE_MAP_POSITIVE_X+B,Et.__webglTexture,j)}else if(Tt){let Et=B;for(let It=0;It<M.textures.length;It++){let kt=zt.get(M.textures[It]);O.framebufferTextureLayer(O.FRAMEBUFFER,O.COLOR_ATTACHMENT0+It,kt.__webglTexture,j,Et)}}else if(M!==null&&j!==0){let Et=zt.get(M.texture);O.framebufferTexture2D(O.FRAMEBUFFER,O.COLOR_ATTACHMENT0,O.TEXTURE_2D,Et.__webglTexture,j)}K=-1};function Mr(M){let B=zt.get(M);return(B.__readFormat!==M.format||B.__readType!==M.type)&&(B.__readFormat=M.format,B.__readType=M.type,B.__formatReadable=se.textureFormatReadable(M.format),B.__typeReadable=se.textureTypeReadable(M.type)),B}this.readRenderTargetPixels=function(M,B,j,Y,Z,Tt,Pt,Et=0){if(!(M&&M.isWebGLRenderTarget)){Qt("WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");return}let It=zt.get(M).__webglFramebuffer;if(M.isWebGLCubeRenderTarget&&Pt!==void 0&&(It=It[Pt],Array.isArray(It)&&(It=It[0])),It){Mt.bindFramebuffer(O.FRAMEBUFFER,It);try{let kt=M.textures[Et],jt=kt.format,de=kt.type;M.textures.length>1&&O.readBuffer(O.COLOR_ATTACHMENT0+Et);let Bt=Mr(kt);if(Bt.__formatReadable===!1){Qt("WebGLRenderer.readRenderTargetPixels: renderTarget is not in RGBA or implementation defined format.");return}if(Bt.__typeReadable===!1){Qt("WebGLRenderer.readRenderTargetPixels: renderTarget is not in UnsignedByteType or implementation defined type.");return}B>=0&&B<=M.width-Y&&j>=0&&j<=M.height-Z&&O.readPixels(B,j,Y,Z,gt.convert(jt),gt.convert(de),Tt)}finally{let kt=ct!==null?zt.get(ct).__webglFramebuffer:null;Mt.bindFramebuffer(O.FRAMEBUFFER,kt)}}},this.readRenderTargetPixelsAsync=async function(M,B,j,Y,Z,Tt,Pt,Et=0){if(!(M&&M.isWebGLRenderTarget))throw new Error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");let It=zt.get(M).__webglFramebuffer;if(M.isWebGLCubeRenderTarget&&Pt!==void 0&&(It=It[Pt],Array.isArray(It)&&(It=It[0])),It)if(B>=0&&B<=M.width-Y&&j>=0&&j<=M.height-Z){Mt.bindFramebuffer(O.FRAMEBUFFER,It);let kt=M.textures[Et],jt=kt.format,de=kt.type;M.textures.length>1&&O.readBuffer(O.COLOR_ATTACHMENT0+Et);let Bt=Mr(kt);if(Bt.__formatReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in RGBA or implementation defined format.");if(Bt.__typeReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in UnsignedByteType or implementation defined type.");let fe=O.createBuffer();O.bindBuffer(O.PIXEL_PACK_BUFFER,fe),O.bufferData(O.PIXEL_PACK_BUFFER,Tt.byteLength,O.STREAM_READ),O.readPixels(B,j,Y,Z,gt.convert(jt),gt.convert(de),0),O.bindBuffer(O.PIXEL_PACK_BUFFER,null);let $e=ct!==null?zt.get(ct).__webglFramebuffer:null;Mt.bindFramebuffer(O.FRAMEBUFFER,$e);let Re=O.fenceSync(O.SYNC_GPU_COMMANDS_COMPLETE,0);return O.flush(),await eg(O,Re,4),O.bindBuffer(O.PIXEL_PACK_BUFFER,fe),O.getBufferSubData(O.PIXEL_PACK_BUFFER,0,Tt),O.bindBuffer(O.PIXEL_PACK_BUFFER,null),O.deleteBuffer(fe),O.deleteSync(Re),Tt}else throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: requested read bounds are out of range.")},this.copyFramebufferToTexture=function(M,B=null,j=0){let Y=Math.pow(2,-j),Z=Math.floor(M.image.width*Y),Tt=Math.floor(M.image.height*Y),Pt=B!==null?B.x:0,Et=B!==null?B.y:0;Xt.setTexture2D(M,0),O.copyTexSubImage2D(O.TEXTURE_2D,j,0,0,Pt,Et,Z,Tt),Mt.unbindTexture()},this.copyTextureToTexture=function(M,B,j=null,Y=null,Z=0,Tt=0){let Pt,Et,It,kt,jt,de,Bt,fe,$e,Re=M.isCompressedTexture?M.mipmaps[Tt]:M.image;if(j!==null)Pt=j.max.x-j.min.x,Et=j.max.y-j.min.y,It=j.isBox3?j.max.z-j.min.z:1,kt=j.min.x,jt=j.min.y,de=j.isBox3?j.min.z:0;else{let ce=Math.pow(2,-Z);Pt=Math.floor(Re.width*ce),Et=Math.floor(Re.height*ce),M.isDataArrayTexture?It=Re.depth:M.isData3DTexture?It=Math.floor(Re.depth*ce):It=1,kt=0,jt=0,de=0}Y!==null?(Bt=Y.x,fe=Y.y,$e=Y.z):(Bt=0,fe=0,$e=0);let Ce=gt.convert(B.format),fn=gt.convert(B.type),Ut;B.isData3DTexture?(Xt.setTexture3D(B,0),Ut=O.TEXTURE_3D):B.isDataArrayTexture||B.isCompressedArrayTexture?(Xt.setTexture2DArray(B,0),Ut=O.TEXTURE_2D_ARRAY):(Xt.setTexture2D(B,0),Ut=O.TEXTURE_2D),Mt.activeTexture(O.TEXTURE0),Mt.pixelStorei(O.UNPACK_FLIP_Y_WEBGL,B.flipY),Mt.pixelStorei(O.UNPACK_PREMULTIPLY_ALPHA_WEBGL,B.premultiplyAlpha),Mt.pixelStorei(O.UNPACK_ALIGNMENT,B.unpackAlignment);let on=Mt.getParameter(O.UNPACK_ROW_LENGTH),ge=Mt.getParameter(O.UNPACK_IMAGE_HEIGHT),ss=Mt.getParameter(O.UNPACK_SKIP_PIXELS),an=Mt.getParameter(O.UNPACK_SKIP_ROWS),wr=Mt.getParameter(O.UNPACK_SKIP_IMAGES);Mt.pixelStorei(O.UNPACK_ROW_LENGTH,Re.width),Mt.pixelStorei(O.UNPACK_IMAGE_HEIGHT,Re.height),Mt.pixelStorei(O.UNPACK_SKIP_PIXELS,kt),Mt.pixelStorei(O.UNPACK_SKIP_ROWS,jt),Mt.pixelStorei(O.UNPACK_SKIP_IMAGES,de);let Vi=M.isDataArrayTexture||M.isData3DTexture,rs=B.isDataArrayTexture||B.isData3DTexture;if(M.isDepthTexture){let ce=zt.get(M),Ke=zt.get(B),On=zt.get(ce.__renderTarget),Pe=zt.get(Ke.__renderTarget);Mt.bindFramebuffer(O.READ_FRAMEBUFFER,On.__webglFramebuffer),Mt.bindFramebuffer(O.DRAW_FRAMEBUFFER,Pe.__webglFramebuffer);for(let ln=0;ln<It;ln++)Vi&&(O.framebufferTextureLayer(O.READ_FRAMEBUFFER,O.COLOR_ATTACHMENT0,zt.get(M).__webglTexture,Z,de+ln),O.framebufferTextureLayer(O.DRAW_FRAMEBUFFER,O.COLOR_ATTACHMENT0,zt.get(B).__webglTexture,Tt,$e+ln)),O.blitFramebuffer(kt,jt,kt+Pt,jt+Et,Bt,fe,Bt+Pt,fe+Et,O.DEPTH_BUFFER_BIT,O.NEAREST);Mt.bindFramebuffer(O.READ_FRAMEBUFFER,null),Mt.bindFramebuffer(O.DRAW_FRAMEBUFFER,null)}else if(Z!==0||M.isRenderTargetTexture||zt.has(M)){let ce=zt.get(M),Ke=zt.get(B);Mt.bindFramebuffer(O.READ_FRAMEBUFFER,L),Mt.bindFramebuffer(O.DRAW_FRAMEBUFFER,W);for(let On=0;On<It;On++)Vi?O.framebufferTextureLayer(O.READ_FRAMEBUFFER,O.COLOR_ATTACHMENT0,ce.__webglTexture,Z,de+On):O.framebufferTexture2D(O.READ_FRAMEBUFFER,O.COLOR_ATTACHMENT0,O.TEXTURE_2D,ce.__webglTexture,Z),rs?O.framebufferTextureLayer(O.DRAW_FRAMEBUFFER,O.COLOR_ATTACHMENT0,Ke.__webglTexture,Tt,$e+On):O.framebufferTexture2D(O.DRAW_FRAMEBUFFER,O.COLOR_ATTACHMENT0,O.TEXTURE_2D,Ke.__webglTexture,Tt),Z!==0?O.blitFramebuffer(kt,jt,kt+Pt,jt+Et,Bt,fe,Bt+Pt,fe+Et,O.COLOR_BUFFER_BIT,O.NEAREST):rs?O.copyTexSubImage3D(Ut,Tt,Bt,fe,$e+On,kt,jt,Pt,Et):O.copyTexSubImage2D(Ut,Tt,Bt,fe,kt,jt,Pt,Et);Mt.bindFramebuffer(O.READ_FRAMEBUFFER,null),Mt.bindFramebuffer(O.DRAW_FRAMEBUFFER,null)}else rs?M.isDataTexture||M.isData3DTexture?O.texSubImage3D(Ut,Tt,Bt,fe,$e,Pt,Et,It,Ce,fn,Re.data):B.isCompressedArrayTexture?O.compressedTexSubImage3D(Ut,Tt,Bt,fe,$e,Pt,Et,It,Ce,Re.data):O.texSubImage3D(Ut,Tt,Bt,fe,$e,Pt,Et,It,Ce,fn,Re):M.isDataTexture?O.texSubImage2D(O.TEXTURE_2D,Tt,Bt,fe,Pt,Et,Ce,fn,Re.data):M.isCompressedTexture?O.compressedTexSubImage2D(O.TEXTURE_2D,Tt,Bt,fe,Re.width,Re.height,Ce,Re.data):O.texSubImage2D(O.TEXTURE_2D,Tt,Bt,fe,Pt,Et,Ce,fn,Re);Mt.pixelStorei(O.UNPACK_ROW_LENGTH,on),Mt.pixelStorei(O.UNPACK_IMAGE_HEIGHT,ge),Mt.pixelStorei(O.UNPACK_SKIP_PIXELS,ss),Mt.pixelStorei(O.UNPACK_SKIP_ROWS,an),Mt.pixelStorei(O.UNPACK_SKIP_IMAGES,wr),Tt===0&&B.generateMipmaps===!0&&B.mipmapsAutoUpdate===!0&&O.generateMipmap(Ut),Mt.unbindTexture()},this.initRenderTarget=function(M){zt.get(M).__webglFramebuffer===void 0&&Xt.setupRenderTarget(M)},this.initTexture=function(M){M.isCubeTexture?Xt.setTextureCube(M,0):M.isData3DTexture?Xt.setTexture3D(M,0):M.isDataArrayTexture||M.isCompressedArrayTexture?Xt.setTexture2DArray(M,0):Xt.setTexture2D(M,0),Mt.unbindTexture()},this.resetState=function(){$=0,G=0,ct=null,Mt.reset(),bt.reset()},typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}get coordinateSystem(){return bi}get outputColorSpace(){return this._outputColorSpace}set outputColorSpace(t){this._outputColorSpace=t;let e=this.getContext();e.drawingBufferColorSpace=xe._getDrawingBufferColorSpace(t),e.unpackColorSpace=xe._getUnpackColorSpace()}};var Vg={type:"change"},Id={type:"start"},Hg={type:"end"},uh=new ur,Gg=new hi,ow=Math.cos(70*md.DEG2RAD),vn=new X,Qn=2*Math.PI,Te={NONE:-1,ROTATE:0,DOLLY:1,PAN:2,TOUCH_ROTATE:3,TOUCH_PAN:4,TOUCH_DOLLY_PAN:5,TOUCH_DOLLY_ROTATE:6},Pd=1e-6,dh=class extends Ca{constructor(t,e=null){super(t,e),this.state=Te.NONE,this.target=new X,this.cursor=new X,this.minDistance=0,this.maxDistance=1/0,this.minZoom=0,this.maxZoom=1/0,this.minTargetRadius=0,this.maxTargetRadius=1/0,this.minPolarAngle=0,this.maxPolarAngle=Math.PI,this.minAzimuthAngle=-1/0,this.maxAzimuthAngle=1/0,this.enableDamping=!1,this.dampingFactor=.05,this.enableZoom=!0,this.zoomSpeed=1,this.enableRotate=!0,this.rotateSpeed=1,this.keyRotateSpeed=1,this.enablePan=!0,this.panSpeed=1,this.screenSpacePanning=!0,this.keyPanSpeed=7,this.zoomToCursor=!1,this.autoRotate=!1,this.autoRotateSpeed=2,this.keys={LEFT:"ArrowLeft",UP:"ArrowUp",RIGHT:"ArrowRight",BOTTOM:"ArrowDown"},this.mouseButtons={LEFT:Ys.ROTATE,MIDDLE:Ys.DOLLY,RIGHT:Ys.PAN},this.touches={ONE:$s.ROTATE,TWO:$s.DOLLY_PAN},this.target0=this.target.clone(),this.position0=this.object.position.clone(),this.zoom0=this.object.zoom,this._cursorStyle="auto",this._domElementKeyEvents=null,this._lastPosition=new X,this._lastQuaternion=new qn,this._lastTargetPosition=new X,this._quat=new qn().setFromUnitVectors(t.up,new X(0,1,0)),this._quatInverse=this._quat.clone().invert(),this._spherical=new vo,this._sphericalDelta=new vo,this._scale=1,this._panOffset=new X,this._rotateStart=new Kt,this._rotateEnd=new Kt,this._rotateDelta=new Kt,this._panStart=new Kt,this._panEnd=new Kt,this._panDelta=new Kt,this._dollyStart=new Kt,this._dollyEnd=new Kt,this._dollyDelta=new Kt,this._dollyDirection=new X,this._mouse=new Kt,this._performCursorZoom=!1,this._pointers=[],this._pointerPositions={},this._controlActive=!1,this._onPointerMove=lw.bind(this),this._onPointerDown=aw.bind(this),this._onPointerUp=cw.bind(this),this._onContextMenu=gw.bind(this),this._onMouseWheel=dw.bind(this),this._onKeyDown=fw.bind(this),this._onTouchStart=pw.bind(this),this._onTouchMove=mw.bind(this),this._onMouseDown=hw.bind(this),this._onMouseMove=uw.bind(this),this._interceptControlDown=_w.bind(this),this._interceptControlUp=xw.bind(this),this.domElement!==null&&this.connect(this.domElement),this.update()}set cursorStyle(t){this._cursorStyle=t,t==="grab"?this.domElement.style.cursor="grab":this.domElement.style.cursor="auto"}get cursorStyle(){return this._cursorStyle}connect(t){super.connect(t),this.domElement.addEventListener("pointerdown",this._onPointerDown),this.domElement.addEventListener("pointercancel",this._onPointerUp),this.domElement.addEventListener("contextmenu",this._onContextMenu),this.domElement.addEventListener("wheel",this._onMouseWheel,{passive:!1}),this.domElement.ownerDocument.addEventListener("keydown",this._interceptControlDown,{passive:!0,capture:!0}),this.domElement.style.touchAction="none"}disconnect(){this.state=Te.NONE,this.domElement.removeEventListener("pointerdown",this._onPointerDown),this.domElement.ownerDocument.removeEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.removeEventListener("pointerup",this._onPointerUp),this.domElement.removeEventListener("pointercancel",this._onPointerUp),this.domElement.removeEventListener("wheel",this._onMouseWheel),this.domElement.removeEventListener("contextmenu",this._onContextMenu),this.stopListenToKeyEvents(),this.domElement.ownerDocument.removeEventListener("keydown",this._interceptControlDown,{capture:!0}),this.domElement.ownerDocument.removeEventListener("keyup",this._interceptControlUp,{capture:!0}),this._controlActive=!1,this._pointers.length=0,this._pointerPositions={},this.domElement.style.touchAction="",this.domElement.style.cursor="auto"}dispose(){this.disconnect()}getPolarAngle(){return this._spherical.phi}getAzimuthalAngle(){return this._spherical.theta}getDistance(){return this.object.position.distanceTo(this.target)}listenToKeyEvents(t){t.addEventListener("keydown",this._onKeyDown),this._domElementKeyEvents=t}stopListenToKeyEvents(){this._domElementKeyEvents!==null&&(this._domElementKeyEvents.removeEventListener("keydown",this._onKeyDown),this._domElementKeyEvents=null)}saveState(){this.target0.copy(this.target),this.position0.copy(this.object.position),this.zoom0=this.object.zoom}reset(){this.target.copy(this.target0),this.object.position.copy(this.position0),this.object.zoom=this.zoom0,this.object.updateProjectionMatrix(),this.dispatchEvent(Vg),this.update(),this.state=Te.NONE}pan(t,e){this._pan(t,e),this.update()}dollyIn(t){this._dollyIn(t),this.update()}dollyOut(t){this._dollyOut(t),this.update()}rotateLeft(t){this._rotateLeft(t),this.update()}rotateUp(t){this._rotateUp(t),this.update()}update(t=null){let e=this.object.position;vn.copy(e).sub(this.target),vn.applyQuaternion(this._quat),this._spherical.setFromVector3(vn),this.autoRotate&&this.state===Te.NONE&&this._rotateLeft(this._getAutoRotationAngle(t)),this.enableDamping?(this._spherical.theta+=this._sphericalDelta.theta*this.dampingFactor,this._spherical.phi+=this._sphericalDelta.phi*this.dampingFactor):(this._spherical.theta+=this._sphericalDelta.theta,this._spherical.phi+=this._sphericalDelta.phi);let n=this.minAzimuthAngle,s=this.maxAzimuthAngle;isFinite(n)&&isFinite(s)&&(n<-Math.PI?n+=Qn:n>Math.PI&&(n-=Qn),s<-Math.PI?s+=Qn:s>Math.PI&&(s-=Qn),n<=s?this._spherical.theta=Math.max(n,Math.min(s,this._spherical.theta)):this._spherical.theta=this._spherical.theta>(n+s)/2?Math.max(n,this._spherical.theta):Math.min(s,this._spherical.theta)),this._spherical.phi=Math.max(this.minPolarAngle,Math.min(this.maxPolarAngle,this._spherical.phi)),this._spherical.makeSafe(),this.enableDamping===!0?this.target.addScaledVector(this._panOffset,this.dampingFactor):this.target.add(this._panOffset),this.target.sub(this.cursor),this.target.clampLength(this.minTargetRadius,this.maxTargetRadius),this.target.add(this.cursor);let r=!1;if(this.zoomToCursor&&this._performCursorZoom||this.object.isOrthographicCamera)this._spherical.radius=this._clampDistance(this._spherical.radius);else{let o=this._spherical.radius;this._spherical.radius=this._clampDistance(this._spherical.radius*this._scale),r=o!=this._spherical.radius}if(vn.setFromSpherical(this._spherical),vn.applyQuaternion(this._quatInverse),e.copy(this.target).add(vn),this.object.lookAt(this.target),this.enableDamping===!0?(this._sphericalDelta.theta*=1-this.dampingFactor,this._sphericalDelta.phi*=1-this.dampingFactor,this._panOffset.multiplyScalar(1-this.dampingFactor)):(this._sphericalDelta.set(0,0,0),this._panOffset.set(0,0,0)),this.zoomToCursor&&this._performCursorZoom){let o=null;if(this.object.isPerspectiveCamera){let a=vn.length();o=this._clampDistance(a*this._scale);let c=a-o;this.object.position.addScaledVector(this._dollyDirection,c),this.object.updateMatrixWorld(),r=!!c}else if(this.object.isOrthographicCamera){let a=new X(this._mouse.x,this._mouse.y,0);a.unproject(this.object);let c=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),this.object.updateProjectionMatrix(),r=c!==this.object.zoom;let l=new X(this._mouse.x,this._mouse.y,0);l.unproject(this.object),this.object.position.sub(l).add(a),this.object.updateMatrixWorld(),o=vn.length()}else console.warn("WARNING: OrbitControls.js encountered an unknown camera type - zoom to cursor disabled."),this.zoomToCursor=!1;o!==null&&(this.screenSpacePanning?this.target.set(0,0,-1).transformDirection(this.object.matrix).multiplyScalar(o).add(this.object.position):(uh.origin.copy(this.object.position),uh.direction.set(0,0,-1).transformDirection(this.object.matrix),Math.abs(this.object.up.dot(uh.direction))<ow?this.object.lookAt(this.target):(Gg.setFromNormalAndCoplanarPoint(this.object.up,this.target),uh.intersectPlane(Gg,this.target))))}else if(this.object.isOrthographicCamera){let o=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),o!==this.object.zoom&&(this.object.updateProjectionMatrix(),r=!0)}return this._scale=1,this._performCursorZoom=!1,r||this._lastPosition.distanceToSquared(this.object.position)>Pd||8*(1-this._lastQuaternion.dot(this.object.quaternion))>Pd||this._lastTargetPosition.distanceToSquared(this.target)>Pd?(this.dispatchEvent(Vg),this._lastPosition.copy(this.object.position),this._lastQuaternion.copy(this.object.quaternion),this._lastTargetPosition.copy(this.target),!0):!1}_getAutoRotationAngle(t){return t!==null?Qn/60*this.autoRotateSpeed*t:Qn/60/60*this.autoRotateSpeed}_getZoomScale(t){let e=Math.abs(t*.01);return Math.pow(.95,this.zoomSpeed*e)}_rotateLeft(t){this._sphericalDelta.theta-=t}_rotateUp(t){this._sphericalDelta.phi-=t}_panLeft(t,e){vn.setFromMatrixColumn(e,0),vn.multiplyScalar(-t),this._panOffset.add(vn)}_panUp(t,e){this.screenSpacePanning===!0?vn.setFromMatrixColumn(e,1):(vn.setFromMatrixColumn(e,0),vn.crossVectors(this.object.up,vn)),vn.multiplyScalar(t),this._panOffset.add(vn)}_pan(t,e){let n=this.domElement;if(this.object.isPerspectiveCamera){let s=this.object.position;vn.copy(s).sub(this.target);let r=vn.length();r*=Math.tan(this.object.fov/2*Math.PI/180),this._panLeft(2*t*r/n.clientHeight,this.object.matrix),this._panUp(2*e*r/n.clientHeight,this.object.matrix)}else this.object.isOrthographicCamera?(this._panLeft(t*(this.object.right-this.object.left)/this.object.zoom/n.clientWidth,this.object.matrix),this._panUp(e*(this.object.top-this.object.bottom)/this.object.zoom/n.clientHeight,this.object.matrix)):(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - pan disabled."),this.enablePan=!1)}_dollyOut(t){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale/=t:(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled."),this.enableZoom=!1)}_dollyIn(t){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale*=t:(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled."),this.enableZoom=!1)}_updateZoomParameters(t,e){if(!this.zoomToCursor)return;this._performCursorZoom=!0;let n=this.domElement.getBoundingClientRect(),s=t-n.left,r=e-n.top,o=n.width,a=n.height;this._mouse.x=s/o*2-1,this._mouse.y=-(r/a)*2+1,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()}_clampDistance(t){return Math.max(this.minDistance,Math.min(this.maxDistance,t))}_handleMouseDownRotate(t){this._rotateStart.set(t.clientX,t.clientY)}_handleMouseDownDolly(t){this._updateZoomParameters(t.clientX,t.clientY),this._dollyStart.set(t.clientX,t.clientY)}_handleMouseDownPan(t){this._panStart.set(t.clientX,t.clientY)}_handleMouseMoveRotate(t){this._rotateEnd.set(t.clientX,t.clientY),this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);let e=this.domElement;this._rotateLeft(Qn*this._rotateDelta.x/e.clientHeight),this._rotateUp(Qn*this._rotateDelta.y/e.clientHeight),this._rotateStart.copy(this._rotateEnd),this.update()}_handleMouseMoveDolly(t){this._dollyEnd.set(t.clientX,t.clientY),this._dollyDelta.subVectors(this._dollyEnd,this._dollyStart),this._dollyDelta.y>0?this._dollyOut(this._getZoomScale(this._dollyDelta.y)):this._dollyDelta.y<0&&this._dollyIn(this._getZoomScale(this._dollyDelta.y)),this._dollyStart.copy(this._dollyEnd),this.zoomToCursor&&(this._performCursorZoom=!0,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()),this.update()}_handleMouseMovePan(t){this._panEnd.set(t.clientX,t.clientY),this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd),this.update()}_handleMouseWheel(t){this._updateZoomParameters(t.clientX,t.clientY),t.deltaY<0?this._dollyIn(this._getZoomScale(t.deltaY)):t.deltaY>0&&this._dollyOut(this._getZoomScale(t.deltaY)),this.update()}_handleKeyDown(t){let e=!1;switch(t.code){case this.keys.UP:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateUp(Qn*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,this.keyPanSpeed),e=!0;break;case this.keys.BOTTOM:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateUp(-Qn*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,-this.keyPanSpeed),e=!0;break;case this.keys.LEFT:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateLeft(Qn*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(this.keyPanSpeed,0),e=!0;break;case this.keys.RIGHT:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateLeft(-Qn*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(-this.keyPanSpeed,0),e=!0;break}e&&(t.preventDefault(),this.update())}_handleTouchStartRotate(t){if(this._pointers.length===1)this._rotateStart.set(t.pageX,t.pageY);else{let e=this._getSecondPointerPosition(t),n=.5*(t.pageX+e.x),s=.5*(t.pageY+e.y);this._rotateStart.set(n,s)}}_handleTouchStartPan(t){if(this._pointers.length===1)this._panStart.set(t.pageX,t.pageY);else{let e=this._getSecondPointerPosition(t),n=.5*(t.pageX+e.x),s=.5*(t.pageY+e.y);this._panStart.set(n,s)}}_handleTouchStartDolly(t){let e=this._getSecondPointerPosition(t),n=t.pageX-e.x,s=t.pageY-e.y,r=Math.sqrt(n*n+s*s);this._dollyStart.set(0,r)}_handleTouchStartDollyPan(t){this.enableZoom&&this._handleTouchStartDolly(t),this.enablePan&&this._handleTouchStartPan(t)}_handleTouchStartDollyRotate(t){this.enableZoom&&this._handleTouchStartDolly(t),this.enableRotate&&this._handleTouchStartRotate(t)}_handleTouchMoveRotate(t){if(this._pointers.length==1)this._rotateEnd.set(t.pageX,t.pageY);else{let n=this._getSecondPointerPosition(t),s=.5*(t.pageX+n.x),r=.5*(t.pageY+n.y);this._rotateEnd.set(s,r)}this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);let e=this.domElement;this._rotateLeft(Qn*this._rotateDelta.x/e.clientHeight),this._rotateUp(Qn*this._rotateDelta.y/e.clientHeight),this._rotateStart.copy(this._rotateEnd)}_handleTouchMovePan(t){if(this._pointers.length===1)this._panEnd.set(t.pageX,t.pageY);else{let e=this._getSecondPointerPosition(t),n=.5*(t.pageX+e.x),s=.5*(t.pageY+e.y);this._panEnd.set(n,s)}this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd)}_handleTouchMoveDolly(t){let e=this._getSecondPointerPosition(t),n=t.pageX-e.x,s=t.pageY-e.y,r=Math.sqrt(n*n+s*s);this._dollyEnd.set(0,r),this._dollyDelta.set(0,Math.pow(this._dollyEnd.y/this._dollyStart.y,this.zoomSpeed)),this._dollyOut(this._dollyDelta.y),this._dollyStart.copy(this._dollyEnd);let o=(t.pageX+e.x)*.5,a=(t.pageY+e.y)*.5;this._updateZoomParameters(o,a)}_handleTouchMoveDollyPan(t){this.enableZoom&&this._handleTouchMoveDolly(t),this.enablePan&&this._handleTouchMovePan(t)}_handleTouchMoveDollyRotate(t){this.enableZoom&&this._handleTouchMoveDolly(t),this.enableRotate&&this._handleTouchMoveRotate(t)}_addPointer(t){this._pointers.push(t.pointerId)}_removePointer(t){delete this._pointerPositions[t.pointerId];for(let e=0;e<this._pointers.length;e++)if(this._pointers[e]==t.pointerId){this._pointers.splice(e,1);return}}_isTrackingPointer(t){for(let e=0;e<this._pointers.length;e++)if(this._pointers[e]==t.pointerId)return!0;return!1}_trackPointer(t){let e=this._pointerPositions[t.pointerId];e===void 0&&(e=new Kt,this._pointerPositions[t.pointerId]=e),e.set(t.pageX,t.pageY)}_getSecondPointerPosition(t){let e=t.pointerId===this._pointers[0]?this._pointers[1]:this._pointers[0];return this._pointerPositions[e]}_customWheelEvent(t){let e=t.deltaMode,n={clientX:t.clientX,clientY:t.clientY,deltaY:t.deltaY};switch(e){case 1:n.deltaY*=16;break;case 2:n.deltaY*=100;break}return t.ctrlKey&&!this._controlActive&&(n.deltaY*=10),n}};function aw(i){this.enabled!==!1&&(this._pointers.length===0&&(this.domElement.setPointerCapture(i.pointerId),this.domElement.ownerDocument.addEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.addEventListener("pointerup",this._onPointerUp)),!this._isTrackingPointer(i)&&(this._addPointer(i),i.pointerType==="touch"?this._onTouchStart(i):this._onMouseDown(i),this._cursorStyle==="grab"&&(this.domElement.style.cursor="grabbing")))}function lw(i){this.enabled!==!1&&(i.pointerType==="touch"?this._onTouchMove(i):this._onMouseMove(i))}function cw(i){switch(this._removePointer(i),this._pointers.length){case 0:this.domElement.releasePointerCapture(i.pointerId),this.domElement.ownerDocument.removeEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.removeEventListener("pointerup",this._onPointerUp),this.dispatchEvent(Hg),this.state=Te.NONE,this._cursorStyle==="grab"&&(this.domElement.style.cursor="grab");break;case 1:let t=this._pointers[0],e=this._pointerPositions[t];this._onTouchStart({pointerId:t,pageX:e.x,pageY:e.y});break}}function hw(i){let t;switch(i.button){case 0:t=this.mouseButtons.LEFT;break;case 1:t=this.mouseButtons.MIDDLE;break;case 2:t=this.mouseButtons.RIGHT;break;default:t=-1}switch(t){case Ys.DOLLY:if(this.enableZoom===!1)return;this._handleMouseDownDolly(i),this.state=Te.DOLLY;break;case Ys.ROTATE:if(i.ctrlKey||i.metaKey||i.shiftKey){if(this.enablePan===!1)return;this._handleMouseDownPan(i),this.state=Te.PAN}else{if(this.enableRotate===!1)return;this._handleMouseDownRotate(i),this.state=Te.ROTATE}break;case Ys.PAN:if(i.ctrlKey||i.metaKey||i.shiftKey){if(this.enableRotate===!1)return;this._handleMouseDownRotate(i),this.state=Te.ROTATE}else{if(this.enablePan===!1)return;this._handleMouseDownPan(i),this.state=Te.PAN}break;default:this.state=Te.NONE}this.state!==Te.NONE&&this.dispatchEvent(Id)}function uw(i){switch(this.state){case Te.ROTATE:if(this.enableRotate===!1)return;this._handleMouseMoveRotate(i);break;case Te.DOLLY:if(this.enableZoom===!1)return;this._handleMouseMoveDolly(i);break;case Te.PAN:if(this.enablePan===!1)return;this._handleMouseMovePan(i);break}}function dw(i){this.enabled===!1||this.enableZoom===!1||this.state!==Te.NONE||(i.preventDefault(),this.dispatchEvent(Id),this._handleMouseWheel(this._customWheelEvent(i)),this.dispatchEvent(Hg))}function fw(i){this.enabled!==!1&&this._handleKeyDown(i)}function pw(i){switch(this._trackPointer(i),this._pointers.length){case 1:switch(this.touches.ONE){case $s.ROTATE:if(this.enableRotate===!1){this.state=Te.NONE;break}this._handleTouchStartRotate(i),this.state=Te.TOUCH_ROTATE;break;case $s.PAN:if(this.enablePan===!1){this.state=Te.NONE;break}this._handleTouchStartPan(i),this.state=Te.TOUCH_PAN;break;default:this.state=Te.NONE}break;case 2:switch(this.touches.TWO){case $s.DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchStartDollyPan(i),this.state=Te.TOUCH_DOLLY_PAN;break;case $s.DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchStartDollyRotate(i),this.state=Te.TOUCH_DOLLY_ROTATE;break;default:this.state=Te.NONE}break;default:this.state=Te.NONE}this.state!==Te.NONE&&this.dispatchEvent(Id)}function mw(i){switch(this._trackPointer(i),this.state){case Te.TOUCH_ROTATE:if(this.enableRotate===!1)return;this._handleTouchMoveRotate(i),this.update();break;case Te.TOUCH_PAN:if(this.enablePan===!1)return;this._handleTouchMovePan(i),this.update();break;case Te.TOUCH_DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchMoveDollyPan(i),this.update();break;case Te.TOUCH_DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchMoveDollyRotate(i),this.update();break;default:this.state=Te.NONE}}function gw(i){this.enabled!==!1&&i.preventDefault()}function _w(i){i.key==="Control"&&(this._controlActive=!0,this.domElement.ownerDocument.addEventListener("keyup",this._interceptControlUp,{passive:!0,capture:!0}))}function xw(i){i.key==="Control"&&(this._controlActive=!1,this.domElement.ownerDocument.removeEventListener("keyup",this._interceptControlUp,{passive:!0,capture:!0}))}var fh=class{constructor(t,e,n,s){this.space=t;this.thickness=n;let r=new ba({color:new oe(e),transparent:s<1,opacity:s,depthWrite:s===1});this.balls=new fr(new mr(1,16,12),r,Math.max(1,t.system.objects)),this.rods=new fr(new va(1,1,1,8),r,Math.max(1,t.bones.length)),this.balls.frustumCulled=this.rods.frustumCulled=!1,this.group.add(this.balls,this.rods)}space;thickness;group=new Di;balls;rods;set(t,e){let n=new Se().makeScale(0,0,0),s=new Se,r=new qn;t.forEach((o,a)=>{let c=this.thickness*(a===e?3:this.space.bones.length?1.7:2.4);this.balls.setMatrixAt(a,Hn(o)?s.compose(new X(...o),r.identity(),new X(c,c,c)):n)}),this.space.bones.forEach(([o,a],c)=>{let[l,u]=[t[o],t[a]];if(!l||!u||!Hn(l)||!Hn(u))return this.rods.setMatrixAt(c,n);let d=new X(...l),h=new X(...u).sub(d),f=h.length();r.setFromUnitVectors(new X(0,1,0),f>0?h.clone().divideScalar(f):new X(0,1,0)),this.rods.setMatrixAt(c,s.compose(d.addScaledVector(h,.5),r,new X(this.thickness,f,this.thickness)))}),this.space.bones.length===0&&this.rods.setMatrixAt(0,n),this.balls.instanceMatrix.needsUpdate=this.rods.instanceMatrix.needsUpdate=!0}};function Ld(i,t,e=1){let n=i.filter(Hn).flat(),s=new Kn().setAttribute("position",new ui(new Float32Array(n),3));return new go(s,new pr({color:new oe(t),transparent:e<1,opacity:e}))}var Ga=class{constructor(t){this.canvas=t;this.renderer=new lh({canvas:t,antialias:!0,alpha:!0}),this.renderer.setPixelRatio(Math.min(window.devicePixelRatio||1,2)),this.controls=new dh(this.camera,t),this.controls.enableDamping=!1,this.controls.zoomSpeed=.6,this.controls.addEventListener("change",()=>this.render()),this.camera.up.set(0,0,1)}canvas;renderer;camera=new Wn(40,1,.01,100);controls;scene=new mo;truth=null;predicted=null;space=null;paths=new Di;futures=new Di;withFutures=!0;band=new Yn;selected=-1;static isPossible(){if(location.hash==="#canvas")return!1;let t=document.createElement("canvas").getContext("webgl2");return t?.getExtension("WEBGL_lose_context")?.loseContext(),t!==null}show(t,e){let n=Ne();this.space=t,this.scene=new mo;let s=t.radius*(t.bones.length?.008:.006);this.truth=new fh(t,n.truth,s*1.7,.42),this.predicted=new fh(t,n.model,s,1);let r=new Ra(4*t.radius,20,n.line,n.grid);r.rotateX(Math.PI/2),r.position.set(t.centre[0],t.centre[1],t.floor-2*s);let o=new Ea(16777215,2);if(o.position.set(1,-2,3),this.band=new Yn(new mr(1,24,16),new dr({color:new oe(n.accent),transparent:!0,opacity:.22,depthWrite:!1})),this.scene.add(new Aa(16777215,1.6),o,r,this.truth.group,this.predicted.group,this.paths,this.futures,this.band),this.selected=-1,e)return;let a=new X(...t.centre);this.controls.target.copy(a),this.camera.position.copy(a).add(new X(1.5,-2,.7).multiplyScalar(t.radius)),this.camera.near=t.radius/100,this.camera.far=60*t.radius,this.controls.update()}size(t,e){this.camera.aspect=t/e,this.camera.updateProjectionMatrix(),this.renderer.setSize(t,e,!1),this.render()}selectPath(t){if(!this.space||t===this.selected)return;this.selected=t,this.paths.clear();let e=Ne();this.paths.add(Ld(this.space.truePath(t),e.truth),Ld(this.space.predictedPath(t),e.accent)),this.futures.clear();let n=this.space.system.futures;for(let o of n.drawn)this.futures.add(Ld(this.space.futurePath(t,o),e.accent,n.opacity(t,o)));let s=this.space.observed(t).filter(Hn),r=new fr(new mr(this.space.radius*.009,8,6),new dr({color:new oe(e.accent)}),Math.max(1,s.length));s.forEach((o,a)=>r.setMatrixAt(a,new Se().makeTranslation(...o))),r.count=s.length,r.frustumCulled=!1,this.paths.add(r)}showFutures(t){this.withFutures=t}draw(t,e){if(!this.space)return;this.truth?.set(this.space.truth(t),e),this.predicted?.set(this.space.predicted(t),e),this.selectPath(e),this.futures.visible=this.withFutures&&t>=this.space.system.startAt-1e-6;let{centre:n,half:s}=this.space.band(e,t);this.band.visible=Hn(n)&&Hn(s),this.band.visible&&(this.band.position.set(...n),this.band.scale.set(...s.map(r=>Math.max(r,1e-6)))),this.render()}project(t,e,n){let s=new X(...t).project(this.camera);return[(s.x+1)/2*e,(1-s.y)/2*n]}turn(t,e){let n=this.camera.position.clone().sub(this.controls.target);n.applyAxisAngle(new X(0,0,1),t);let s=new X().crossVectors(n,this.camera.up).normalize(),r=n.clone().applyAxisAngle(s,e);Math.abs(r.clone().normalize().z)<.98&&n.copy(r),this.camera.position.copy(this.controls.target).add(n),this.controls.update(),this.render()}render(){this.renderer.render(this.scene,this.camera)}};var Ao=class{constructor(t){this.options=t;Ga.isPossible()?(this.surface=D("canvas"),this.three=new Ga(this.surface),this.flat=this.canvas=null):(this.canvas=new Us,this.surface=this.canvas.element,this.flat=new fl(this.canvas),this.three=null),this.surface.setAttribute("tabindex","0"),this.surface.setAttribute("aria-label","the system in motion; drag to turn it"),this.element=D("div",{class:"stage space","data-kind":this.three?"space":"flat"},this.surface,this.tooltip.element,D("div",{class:"hint"},"drag to turn, scroll to zoom, a and d turn, too")),new ResizeObserver(()=>this.redraw()).observe(this.element),this.surface.addEventListener("pointermove",e=>this.hover(e)),this.surface.addEventListener("pointerleave",()=>this.tooltip.hide()),this.surface.addEventListener("click",e=>{let n=this.nearest(e);n>=0&&this.options.select(n)})}options;element;tooltip=new qr;three;flat;canvas;surface;space=null;time=0;selected=0;width=0;height=0;shown=!1;turn(t,e){this.three?.turn(t,e),this.flat?.turn(t,e)}showFutures(t){this.three?.showFutures(t),this.flat?.showFutures(t),this.draw(this.time,this.selected)}show(t){this.surface.setAttribute("aria-label",cl(t,"the system in motion; drag to turn it")),this.space=new Xr(t,this.options.positions),this.shown=!1,this.flat?.show(this.space),this.redraw()}redraw(){let t=this.element.clientWidth;t===0||!this.space||([this.width,this.height]=[t,Math.round(Math.min(Math.max(t*.62,320),580))],this.surface.style.height=`${this.height}px`,this.three?.show(this.space,this.shown),this.shown=!0,this.three?.size(this.width,this.height),this.canvas?.fit(this.width,this.height),this.draw(this.time,this.selected))}draw(t,e){[this.time,this.selected]=[t,e],this.three?.draw(t,e),this.flat?.draw(t,e)}project(t){return this.three?this.three.project(t,this.width,this.height):this.flat?.project(t)??[NaN,NaN]}nearest(t){if(!this.space)return-1;let e=this.surface.getBoundingClientRect(),[n,s]=[t.clientX-e.left,t.clientY-e.top],r=-1,o=324;for(let a of[this.space.predicted(this.time),this.space.truth(this.time)])a.forEach((c,l)=>{if(!Hn(c))return;let[u,d]=this.project(c),h=(u-n)**2+(d-s)**2;h<o&&([r,o]=[l,h])});return r}hover(t){let e=t.buttons?-1:this.nearest(t);if(e<0||!this.space)return this.tooltip.hide();let n=this.surface.getBoundingClientRect();this.tooltip.show(this.space.system,e,this.time,this.options.facts,t.clientX-n.left,t.clientY-n.top)}};function ph(i){let t=atob(i),e=new Uint8Array(t.length);for(let n=0;n<t.length;++n)e[n]=t.charCodeAt(n);return e}function Nd(i){return new Float32Array(ph(i).buffer)}function Ks(i){let t=new Uint16Array(ph(i.data).buffer),e=new Float32Array(t.length),n=(i.high-i.low)/65534;for(let s=0;s<t.length;++s){let r=t[s]??65535;e[s]=r===65535?NaN:i.low+r*n}return e}var mh=class{count;total;times;values;probabilities;constructor(t,e){this.count=t?.count??0,this.total=t?.total??0,this.times=Array.from(e).filter((n,s)=>s%(t?.stride??1)===0),this.values=t?.values.map(Ks)??[],this.probabilities=t?Ks(t.probability):new Float32Array}probability(t,e){return this.probabilities[t*this.count+e]??NaN}opacity(t,e){let n=this.probability(t,e)/this.probability(t,0);return Number.isFinite(n)?Math.min(Math.max(.8*n,.15),.8):0}value(t,e,n,s){return this.values[n]?.[(t*this.count+e)*this.times.length+s]??NaN}at(t,e,n,s){let r=this.times.length,[o=NaN,a=NaN]=[this.times[0],this.times[r-1]];if(r<2||!(s>=o-1e-5&&s<=a+1e-5))return NaN;let c=Math.min(Math.max((s-o)/(a-o)*(r-1),0),r-1),l=Math.min(Math.floor(c),r-2),[u,d]=[this.value(t,e,n,l),this.value(t,e,n,l+1)];return u+(c-l)*(d-u)}path(t,e,n){return this.times.map((s,r)=>n(o=>this.value(t,e,o,r)))}get drawn(){return Array.from({length:this.count},(t,e)=>this.count-1-e)}all(t){return this.values[t]??new Float32Array}};var gh=class{constructor(t){this.data=t;this.objects=t.objects.ids.length,this.times=Nd(t.path.times),this.mean=t.path.mean.map(Ks),this.low=t.path.low.map(Ks),this.high=t.path.high.map(Ks),this.futures=new mh(t.futures,this.times),this.seenTimes=Nd(t.observations.times),this.flags=ph(t.observations.flags),this.values=t.observations.values.map(Ks),this.features=this.values.length,this.offsets=[0];for(let e of t.observations.counts)this.offsets.push((this.offsets[this.offsets.length-1]??0)+e);this.duration=t.end-t.begin,this.startAt=t.start-t.begin;for(let e=0;e<this.objects;++e)this.gaps.push(this.typicalGap(e))}data;objects;features;times;mean;low;high;futures;seenTimes;flags;values;offsets;duration;startAt;gaps=[];typicalGap(t){let e=[];for(let s=this.first(t)+1;s<this.last(t);++s)e.push((this.seenTimes[s]??0)-(this.seenTimes[s-1]??0));e.sort((s,r)=>s-r);let n=e[Math.floor(e.length/2)]??this.duration;return Math.max(4*n,this.duration/12)}first(t){return this.offsets[t]??0}last(t){return this.offsets[t+1]??0}isSeen(t){return((this.flags[t]??0)&1)!==0}isGap(t,e){return(this.seenTimes[e]??0)-(this.seenTimes[e-1]??0)>(this.gaps[t]??0)}truth(t,e,n){let s=this.values[e];if(!s)return NaN;let r=this.first(t)-1,o=this.last(t);for(;o-r>1;){let u=r+o>>1;(this.seenTimes[u]??0)<=n+1e-6?r=u:o=u}for(;r>=this.first(t)&&Number.isNaN(s[r]??NaN);)--r;for(;o<this.last(t)&&Number.isNaN(s[o]??NaN);)++o;if(r<this.first(t))return NaN;let a=s[r]??NaN,c=this.seenTimes[r]??0;if(Math.abs(c-n)<1e-5*Math.max(1,this.duration))return a;if(o>=this.last(t))return NaN;let l=this.seenTimes[o]??0;return l-c>(this.gaps[t]??0)?NaN:a+((s[o]??NaN)-a)*(n-c)/(l-c)}readPath(t,e,n,s){let r=this.times.length,o=this.times[0]??0,a=this.times[r-1]??0,c=t[n];if(r<2||!c||s<o-1e-5||s>a+1e-5)return NaN;let l=Math.min(Math.max((s-o)/(a-o)*(r-1),0),r-1),u=Math.min(Math.floor(l),r-2),d=c[e*r+u]??NaN,h=c[e*r+u+1]??NaN;return d+(l-u)*(h-d)}predicted(t,e,n){return this.readPath(this.mean,t,e,n)}read(t,e,n){return{truth:this.truth(t,e,n),mean:this.predicted(t,e,n),low:this.readPath(this.low,t,e,n),high:this.readPath(this.high,t,e,n)}}range(t){let e=1/0,n=-1/0;for(let s of[this.values[t],this.mean[t],this.futures.all(t)])for(let r of s??[])Number.isFinite(r)&&(e=Math.min(e,r),n=Math.max(n,r));return e<=n?[e,n]:[0,1]}};var Wg=[["space","play or pause"],["\u2190 \u2192","step in time; with shift: ten steps"],["home end","first and last time"],["\u2212 +","slower, faster"],["p n","previous and next system"],["[ ]","previous and next object"],["a d w s","turn a stage in space"],["t","light or dark"]],vw=["f","futures on or off"],Dd=class{constructor(t,e){this.facts=e;this.systems=(t.systems??[]).map(o=>new gh(o));let n=e.features.map((o,a)=>o.position?a:-1).filter(o=>o>=0),s={facts:e,positions:n,select:o=>this.select(o)};this.stage=n.length===3?new Ao(s):new Zo(s),this.unit=e.features[n[0]??-1]?.unit??"",this.gallery=new hl(this.systems,n,this.unit,o=>this.show(o)),this.series=new dl(e,this.player);for(let o of $o)this.speed.append(D("option",{value:o,selected:o===1},`${o} \xD7`));this.play.addEventListener("click",()=>this.player.toggle()),this.scrub.addEventListener("input",()=>this.player.seek(Number(this.scrub.value)/1e3*this.player.duration)),this.speed.addEventListener("change",()=>{this.player.speed=Number(this.speed.value)}),this.chooser.addEventListener("change",()=>this.select(Number(this.chooser.value))),this.player.onChange(()=>this.draw()),qi(()=>this.stage.redraw());let r=(o,a,c)=>{let l=D("button",{type:"button","aria-label":a,title:a},o);return l.addEventListener("click",()=>this.step(c)),l};this.element=Pn("systems","Systems","Each is predicted from what the evaluation showed of it. Choose one, press play, drag the slider or click a chart.",this.gallery.element,D("div",{class:"viewer"},D("div",{class:"head"},D("div",{},this.title,this.about),D("div",{class:"steps"},r("\u2039","previous system",-1),r("\u203A","next system",1))),D("div",{class:"split"},D("div",{class:"left"},this.stage.element,D("div",{class:"controls"},this.play,this.scrub,this.clock,D("label",{},"speed ",this.speed)),this.legend()),D("div",{class:"right"},D("label",{class:"object"},"object ",this.chooser),this.now)),this.series.element),D("details",{class:"help"},D("summary",{},"Keys"),D("dl",{},...(this.anyFutures?[...Wg,vw]:Wg).map(([o,a])=>D("div",{},D("dt",{},D("kbd",{},o)),D("dd",{},a)))))),this.show(0),addEventListener("keydown",o=>this.key(o))}facts;element;player=new ul;systems;stage;gallery;series;play=D("button",{type:"button",id:"play",class:"primary","aria-label":"play"},"\u25B6");scrub=D("input",{type:"range",id:"scrub",min:0,max:1e3,value:0,"aria-label":"time"});clock=D("output",{id:"clock",class:"num"});speed=D("select",{id:"speed","aria-label":"speed"});chooser=D("select",{id:"object","aria-label":"object"});title=D("h3",{id:"system-title"});about=D("p",{class:"muted",id:"system-about"});now=D("table",{id:"now"});unit;index=0;object=0;withFutures=!0;legend(){let t=D("div",{class:"keys"}),e=()=>{let n=Ne(),s=(a,c,l)=>{let u=D("i",{class:`mark ${a}`});return u.style.color=c,D("span",{class:"key"},u,l)},r=(this.systems[0]?.objects??0)<=7&&this.stage instanceof Zo?gi(0):n.model,o=this.stage instanceof Ao;t.replaceChildren(s(o?"disc":"ring",n.truth,"truth now"),s("disc",r,"prediction now"),s("dashed",o?n.truth:r,"true path"),s("dot",o?n.accent:r,"observed"),...this.anyFutures?[this.futuresSwitch(s("fan",o?n.accent:r,"futures"))]:[],s("area",o?n.accent:r,"90 % band"),s("thin",n.ink,o?"bones or relations":"relations"))};return e(),qi(e),t}get anyFutures(){return this.systems.some(t=>t.futures.count>0)}futuresSwitch(t){let e=D("button",{type:"button",id:"futures",title:"show or hide (f)"});return e.setAttribute("aria-pressed",String(this.withFutures)),e.append(...t.childNodes),e.addEventListener("click",()=>this.toggleFutures()),e}toggleFutures(){this.withFutures=!this.withFutures,this.element.querySelector("#futures")?.setAttribute("aria-pressed",String(this.withFutures)),this.stage.showFutures(this.withFutures)}step(t){this.systems.length>0&&this.show(this.gallery.next(this.index,t))}get system(){return this.systems[this.index]}show(t){this.index=t;let e=this.system;if(!e)return;let n=e.data;this.object=Math.min(this.object,e.objects-1),n.objects.mse[this.object]===null&&(this.object=Math.max(n.objects.mse.findIndex(o=>o!==null),0)),this.gallery.mark(this.index),this.title.textContent=`System ${n.id}`;let s=n.rank?`the ${n.rank} of ${En(n.of)}`:`place ${En(n.place)} of ${En(n.of)}`,r=[`error ${Tn(n.mse)} \xD7 10\u207B\xB2, ${s}`,...typeof n.surprise=="number"?[`surprise ${re(n.surprise,3)} ${this.unit}`.trim()+`, from the nearest of ${e.futures.total||"several"} futures`]:[],`index ${n.system}, ${n.part} part`,`${En(n.objects.total)} objects${n.objects.total>e.objects?`, ${e.objects} shown`:""}`,`${En(n.relations_total)} relations${n.relations_total*3>n.relations.length?`, ${En(n.relations.length/3)} shown`:""}`];this.about.textContent=r.join(" \xB7 "),this.chooser.replaceChildren(...n.objects.ids.map((o,a)=>D("option",{value:a},`${o}${n.objects.mse[a]===null?"":`, error ${Tn(n.objects.mse[a])}`}`))),this.element.dataset.system=String(n.system),this.stage.show(e),this.player.reset(e.duration,n.forecast?e.startAt:0),this.select(this.object)}select(t){let e=this.system;e&&(this.object=(t%e.objects+e.objects)%e.objects,this.chooser.value=String(this.object),this.series.show(e,this.object),this.draw())}draw(){let t=this.system;if(!t)return;let{time:e,duration:n,playing:s,speed:r}=this.player;this.stage.draw(e,this.object),this.series.moveCursor(),this.scrub.value=String(n>0?Math.round(1e3*e/n):0);let o=Np(t.data.begin+e,this.facts.time_unit,this.facts.time_origin);this.clock.textContent=o,this.scrub.setAttribute("aria-valuetext",o),this.play.textContent=s?"\u275A\u275A":"\u25B6",this.play.setAttribute("aria-label",s?"pause":"play"),this.speed.value=String(r),this.stage.element.dataset.time=String(t.data.begin+e),this.now.replaceChildren(D("tr",{},D("th",{},"now"),D("th",{class:"num"},"truth"),D("th",{class:"num"},"predicted"),D("th",{class:"num"},"90 %")),...this.facts.features.map((a,c)=>{let l=t.read(this.object,c,e),u=Number.isNaN(l.truth)||Number.isNaN(l.low)?"":l.truth>=l.low&&l.truth<=l.high?" inside":" outside";return D("tr",{class:u.trim()},D("th",{scope:"row"},a.name,a.unit?D("small",{},a.unit):null),D("td",{class:"num"},re(l.truth)),D("td",{class:"num"},re(l.mean)),D("td",{class:"num"},Number.isNaN(l.low)?"\u2013":`${re(l.low,3)} to ${re(l.high,3)}`))}))}key(t){let e=t.target;if(t.ctrlKey||t.metaKey||t.altKey||e instanceof HTMLSelectElement||e instanceof HTMLInputElement&&e!==this.scrub)return;let n=e instanceof HTMLButtonElement||e instanceof HTMLElement&&e.tagName==="SUMMARY",s=this.player.duration/100*(t.shiftKey?10:1),r=(l,u)=>{this.stage instanceof Ao&&this.stage.turn(l,u)},o={ArrowLeft:()=>this.player.seek(this.player.time-s),ArrowRight:()=>this.player.seek(this.player.time+s),Home:()=>this.player.seek(0),End:()=>this.player.seek(this.player.duration),"+":()=>this.player.faster(1),"=":()=>this.player.faster(1),"-":()=>this.player.faster(-1),n:()=>this.step(1),p:()=>this.step(-1),f:()=>this.toggleFutures(),"]":()=>this.select(this.object+1),"[":()=>this.select(this.object-1),a:()=>r(-.1,0),d:()=>r(.1,0),w:()=>r(0,.1),s:()=>r(0,-.1)};t.key===" "&&!n&&(o[" "]=()=>this.player.toggle());let a=o[t.key];if(!a)return;let c=this.element.getBoundingClientRect();(t.key==="Home"||t.key==="End"||t.key===" ")&&(c.bottom<0||c.top>innerHeight)||(t.preventDefault(),a())}};function Xg(i){return!i.systems?.length||!i.data?null:new Dd(i,i.data).element}var qg=1;function yw(){let i=document.getElementById("data")?.textContent??"",t=JSON.parse(i);if(t.format!==qg)throw new Error(`this page has format ${t.format}, its viewer reads ${qg}`);return t}function bw(i){let t=i.evaluation,e=n=>i.settings.find(s=>s.key===n)?.value;return[t?Ds(t):vi(e("model")),`${vi(e("task"))}, ${Gn(Number(e("observed")),0)} observed`,i.data?.name??vi(e("data"))].join(" \xB7 ")}function Yg(i,t,e){let n=D("button",{type:"button",id:"theme","aria-label":"light or dark",title:"light or dark (t)"},"\u25D0");n.addEventListener("click",Ph),addEventListener("keydown",r=>{r.key==="t"&&!r.ctrlKey&&!r.metaKey&&!(r.target instanceof HTMLSelectElement)&&Ph()});let s=D("nav",{"aria-label":"parts of the page"});for(let r of e)s.append(D("a",{href:`#${r.id}`},r.querySelector("h2")?.textContent??""));return D("header",{},D("div",{class:"top"},D("div",{},D("h1",{},i),D("p",{class:"under"},t)),n),s)}function Sw(i){let t=i.kind==="run"?i.left_out:[];return D("footer",{},t.length?D("div",{id:"left-out"},D("b",{},"Not on this page"),D("ul",{},...t.map(e=>D("li",{},e)))):null,D("p",{},`Made by lgode ${i.made_by.version} (${i.made_by.commit}). The page is one file and loads nothing.`),D("details",{},D("summary",{},"Licences"),D("pre",{},i.licences)))}function Mw(){let i=document.getElementById("page");if(!i)return;ef();let t=yw();Lp(t.methods);let n=(t.kind==="compare"?Bp(t):[Fp(t),Xg(t),zp(t),Vp(t),Gp(t),Hp(t)]).filter(r=>r instanceof HTMLElement),s=t.kind==="compare"?Yg(`${t.runs.length} runs`,"side by side",n):Yg(t.run.name,bw(t),n);i.replaceChildren(s,...n,Sw(t)),document.documentElement.dataset.ready="yes"}Mw();})();
