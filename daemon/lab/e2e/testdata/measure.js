// What a person would call broken on the page in the window, one line each; [] when there is nothing.
//
// The window is as high as the page, so that nothing sticks or scrolls. Text may leave its box only where a person can scroll
// it: in an element that scrolls and takes the focus, or holds something that does.
(() => {
  const problems = [];
  const shown = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true });
  // for screen readers only: as small as a dot, or outside of the window until it is focused
  const hidden = (e) => {
    for (let at = e; at && at !== document.body; at = at.parentElement) {
      if (getComputedStyle(at).clipPath === "inset(50%)" || at.matches(".skip, datalist, noscript, title, desc")) return true;
    }
    return false;
  };
  const short = (t) => (t.length > 60 ? t.slice(0, 57) + "…" : t);
  const name = (e) => {
    const own = e.id ? "#" + e.id : e.classList.length ? "." + [...e.classList].join(".") : "";
    const up = e.parentElement?.closest("[id], [class]");
    return (up ? up.tagName.toLowerCase() + (up.id ? "#" + up.id : "." + [...up.classList].join(".")) + " " : "") + e.tagName.toLowerCase() + own;
  };
  const scrolls = (e) => {
    for (let at = e; at && at !== document.body; at = at.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(at).overflowX)) return at;
    }
    return null;
  };
  // the part of a place of text in e that is seen: what comes after an ellipsis has a place, too
  const seen = (e, r) => {
    for (let at = e; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.textOverflow !== "ellipsis" || !/hidden|clip/.test(style.overflowX)) continue;
      const b = at.getBoundingClientRect();
      const left = Math.max(r.left, b.left), right = Math.min(r.right, b.right);
      return new DOMRect(left, r.top, Math.max(0, right - left), r.height);
    }
    return r;
  };

  // width
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) {
    const wide = [...document.body.querySelectorAll("*")].filter((e) => shown(e) && !scrolls(e) && e.getBoundingClientRect().right > innerWidth + 1);
    problems.push(`the page is ${root.scrollWidth} px wide in a window of ${innerWidth} px: ${wide.slice(-3).map(name).join(", ")}`);
  }

  // pieces of text with their places
  const pieces = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const e = node.parentElement;
    if (!node.data.trim() || !e || !shown(e) || hidden(e)) continue;
    range.selectNodeContents(node);
    const text = short(node.data.trim().replace(/\s+/g, " "));
    for (const place of range.getClientRects()) {
      const r = seen(e, place);
      if (r.width > 1 && r.height > 1) pieces.push({ e, node, text, r, clip: scrolls(e) });
    }
  }

  // text beyond what is shown of it
  const said = new Set();
  const say = (e, text) => {
    const key = name(e) + text.slice(0, 30);
    if (!said.has(key)) problems.push(text);
    said.add(key);
  };
  for (const p of pieces) {
    for (let at = p.e; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (/auto|scroll/.test(style.overflowX)) {
        if (at.tabIndex < 0 && !at.querySelector("a[href], button, input, select, [tabindex]")) {
          const b = at.getBoundingClientRect();
          if (p.r.right > b.right + 1) say(at, `${name(at)} scrolls and takes no focus`);
        }
        break;
      }
      if (at instanceof SVGElement && !(at instanceof SVGSVGElement)) continue;
      if (!/hidden|clip/.test(style.overflowX)) continue;
      if (style.textOverflow === "ellipsis") break; // it says that there is more
      const b = at.getBoundingClientRect();
      if (p.r.right > b.right + 1 || p.r.left < b.left - 1 || p.r.bottom > b.bottom + 3 || p.r.top < b.top - 3) {
        say(at, `${name(at)} cuts “${p.text}”`);
      }
    }
  }
  // text that leaves a box with an edge
  for (const p of pieces) {
    if (p.e.closest("svg")) continue;
    for (let at = p.e; at && at !== document.body && at !== p.clip; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.display === "inline" || style.display === "contents") continue;
      if (style.textOverflow === "ellipsis") break;
      const b = at.getBoundingClientRect();
      if (p.r.right > b.right + 2 || p.r.left < b.left - 2) {
        say(at, `“${p.text}” leaves ${name(at)}`);
        break;
      }
    }
  }

  // two texts in one place
  const rows = pieces.toSorted((a, b) => a.r.top - b.r.top);
  for (let i = 0; i < rows.length; i++) {
    for (let k = i + 1; k < rows.length && rows[k].r.top < rows[i].r.bottom; k++) {
      const a = rows[i], b = rows[k];
      if (a.node === b.node || a.clip !== b.clip || a.e.closest("svg.graph")) continue;
      const across = Math.min(a.r.right, b.r.right) - Math.max(a.r.left, b.r.left);
      const down = Math.min(a.r.bottom, b.r.bottom) - Math.max(a.r.top, b.r.top);
      if (across > 2 && down > 0.4 * Math.min(a.r.height, b.r.height)) say(a.e, `“${a.text}” and “${b.text}” overlap in ${name(a.e)}`);
    }
  }

  // words broken inside: only addresses, names of files and words too long for any line may be
  for (const node of new Set(pieces.map((p) => p.node))) {
    const e = node.parentElement;
    if (e.closest("svg, code, textarea")) continue;
    for (const m of node.data.matchAll(/\p{L}{2,20}/gu)) {
      const around = node.data.slice(Math.max(0, m.index - 1), m.index + m[0].length + 1);
      if (/[./:_@=&%~-]/.test(around) || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(m[0])) continue;
      range.setStart(node, m.index);
      range.setEnd(node, m.index + m[0].length);
      const rects = [...range.getClientRects()].filter((r) => r.width > 1);
      const lines = new Set(rects.map((r) => Math.round(r.top)));
      if (lines.size > 1 && node.data.trim().length > 0 && !/\S{40}/.test(node.data)) say(e, `“${m[0]}” is broken inside in ${name(e)}`);
    }
  }

  // pictures without a name
  for (const e of document.querySelectorAll("img, svg")) {
    if (!shown(e) || e.closest("[aria-hidden=true]") || e.parentElement?.closest("svg")) continue;
    const named = e.hasAttribute("alt") || e.getAttribute("aria-label") || (e.getAttribute("aria-labelledby") ?? "").split(/\s+/).some((id) => document.getElementById(id)?.textContent.trim());
    if (!named) problems.push(`${name(e)} has no name`);
    if (e.tagName === "IMG" && e.complete && !e.naturalWidth) problems.push(`${name(e)} did not load`);
  }
  return problems;
})()
