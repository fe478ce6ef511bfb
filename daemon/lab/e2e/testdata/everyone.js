// What is wrong on the page for people who force colours, print, bear no motion or have a wide screen: a function each,
// which lists one line for each problem.
window.everyone = (() => {
  const shown = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && [...e.getClientRects()].some((r) => r.width > 1 && r.height > 1);
  const name = (e) => `${e.tagName.toLowerCase()}${e.id ? "#" + e.id : ""}${[...e.classList].map((c) => "." + c).join("")} “${(e.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40)}”`;
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);
  const few = (list) => [...new Set(list)].slice(0, 8);
  const color = (() => { // what the browser makes of the name of a system colour
    const probe = document.createElement("i");
    return (value) => {
      probe.style.cssText = `color: ${value}; forced-color-adjust: none`;
      document.body.append(probe);
      const is = getComputedStyle(probe).color;
      probe.remove();
      return is;
    };
  })();

  // Things that differ by colour alone elsewhere must differ by an edge or a pattern here, and pictures must show.
  function forced() {
    if (!matchMedia("(forced-colors: active)").matches) return ["colours are not forced"];
    const problems = [];
    const edge = (e) => { const s = getComputedStyle(e); return [s.borderTopWidth, s.borderTopStyle, s.borderTopColor, s.borderLeftWidth, s.borderLeftStyle, s.outlineStyle, s.outlineColor].join(); };
    const differ = (a, b) => {
      const others = all(b).filter((e) => !e.matches(a));
      for (const e of all(a)) {
        const same = others.find((o) => edge(o) === edge(e));
        if (same) problems.push(`${name(e)} looks like ${name(same)}`);
      }
    };
    differ(".top li a[aria-current]", ".top li a");
    differ(".subnav li a[aria-current]", ".subnav li a");
    differ(".tabs a[aria-current]", ".tabs a");
    differ("button.primary:enabled, .button.primary", "button:not(.quiet):enabled, .button");
    differ("button:disabled", "button:enabled");
    differ("[aria-invalid=true]", "input[type=text]:not([aria-invalid])");
    for (const mark of ["useful", "not-useful", "later", "off-topic"]) differ(`.find.${mark}`, ".find");
    for (const e of all(".tag, .count, .banner")) {
      if (parseFloat(getComputedStyle(e).borderTopWidth) === 0) problems.push(`${name(e)} has no edge`);
    }
    const light = (value) => { // relative luminance, WCAG 2.2
      const [r, g, b] = value.match(/[\d.]+/g).map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = light(color("Canvas"));
    const blank = (value, least) => {
      if (value === "none" || Number(value.match(/[\d.]+/g)[3] ?? 1) < 0.3) return true;
      const is = light(value);
      return (Math.max(is, ground) + 0.05) / (Math.min(is, ground) + 0.05) < least;
    };
    for (const e of all("svg :is(path, circle, rect, line, polygon, polyline, use, text)")) {
      if (e.closest("[aria-hidden=true], defs, symbol") || e.matches(".ground, .hit")) continue;
      const s = getComputedStyle(e);
      const least = e.matches("text") ? 4.5 : 2; // GrayText is for what matters less
      if (blank(s.fill, least) && (blank(s.stroke, least) || s.strokeWidth === "0px")) problems.push(`${name(e)} in ${name(e.ownerSVGElement)} cannot be seen`);
    }
    for (const svg of all("svg")) {
      const lines = [...svg.querySelectorAll(".line")].filter(shown);
      const looks = lines.map((e) => { const s = getComputedStyle(e); return [s.stroke, s.strokeDasharray, s.strokeWidth].join(); });
      if (new Set(looks).size < looks.length) problems.push(`${looks.length} lines of ${name(svg)} look alike`);
    }
    return few(problems);
  }

  // On paper nothing can be pressed, typed or opened; addresses are written out, cards stay whole, and the paper is white.
  function print() {
    const problems = [];
    for (const e of all("nav, button, .button, dialog, .banner, .savebar, .toc, .pager, .skip, :is(input, select, textarea):not(.settings *, .tonight *)")) problems.push(`${name(e)} is printed`);
    for (const e of all("main a[href^=http]")) {
      if (!e.closest("svg, .said") && !getComputedStyle(e, "::after").content.includes(e.getAttribute("href"))) problems.push(`${name(e)} has no address`);
    }
    for (const e of all(".card, .find, .result, tr, figure")) {
      if (getComputedStyle(e).breakInside === "auto") problems.push(`${name(e)} may be split`);
    }
    for (const e of all("body *")) {
      if (/sticky|fixed/.test(getComputedStyle(e).position)) problems.push(`${name(e)} sticks`);
      if (getComputedStyle(e).boxShadow !== "none") problems.push(`${name(e)} has a shadow`);
    }
    const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/[\d.]+/g).map(Number);
    if (r + g + b < 760) problems.push(`the paper is ${getComputedStyle(document.body).backgroundColor}`);
    for (const e of all("main details:not([open], .more)")) {
      const inside = e.querySelector(":scope > :not(summary)");
      if (inside && !inside.matches("form, .menu") && !e.closest("form, .actions") && !shown(inside)) problems.push(`${name(e)} stays folded`);
    }
    return few(problems);
  }

  // Nothing moves for people who asked for that.
  function motion() {
    const moving = [...document.querySelectorAll("*")].filter((e) => {
      const s = getComputedStyle(e);
      return s.transitionDuration.split(", ").some((d) => d !== "0s") || s.animationName !== "none" || s.scrollBehavior === "smooth";
    });
    return few([...moving.map((e) => `${name(e)} moves`), ...document.getAnimations().map(() => "something moves")]);
  }

  // How many characters of its text have room on a line of an element. How many there are on its lines would depend on where the
  // font breaks them.
  const pen = document.createElement("canvas").getContext("2d");
  const room = (e, text) => {
    const s = getComputedStyle(e);
    pen.font = `${s.fontStyle} ${s.fontWeight} ${s.fontSize} ${s.fontFamily}`;
    return (e.clientWidth - parseFloat(s.paddingLeft) - parseFloat(s.paddingRight)) * text.length / pen.measureText(text).width;
  };

  // The width is used, and no line of prose has more than 95 characters, about 90 on average.
  function wide() {
    const problems = [];
    for (const e of all("main :is(p, li, dd, figcaption)")) {
      if (e.closest("table, svg, pre, code, textarea, ol.way, .meta, .site") || e.querySelector("p, li, dd, div, table, form, ul, pre, code, svg, button, .button, .site, .tag")) continue;
      const text = e.innerText.trim();
      if (text.length > 95 && room(e, text) > 95) problems.push(`${name(e)} has room for ${Math.round(room(e, text))} characters a line`);
    }
    const main = document.querySelector("main");
    const asks = main.querySelector(":scope > .narrow"); // a question is narrow, whatever it lists
    if (!asks && main.querySelector(".table, .web, .finds, .results, .picture, .columns")) {
      const places = [...main.children].filter(shown).map((e) => e.getBoundingClientRect());
      const used = Math.max(...places.map((r) => r.right)) - Math.min(...places.map((r) => r.left));
      if (used < innerWidth * 0.55) problems.push(`${Math.round(used)} of ${innerWidth} px are used`);
    }
    return few(problems);
  }

  return { forced, print, motion, wide };
})();
// Text with the spacing of WCAG 1.4.12, on and off.
window.spaced = (() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("*:not(svg, svg *) { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important } p { margin-bottom: 2em !important }");
  return (on) => { document.adoptedStyleSheets = on ? [sheet] : []; return on; };
})();
true;
