// Tells the bar when the page's layout may have changed. While nothing changes, it does nothing; while much changes, it looks
// rarely. This is a classic script; it defines one frozen object, nightjarBarWatch.
(() => {
  "use strict";

  if (globalThis.nightjarBarWatch || window !== window.top) return; // injected twice, or a frame

  /**
   * Shortest time between two looks, before a look, and the longest between those at a page that changes all the time without
   * effect; ms.
   */
  const PAUSE = 500;
  const SHORT = 100;
  const LONGEST = 3_000;
  /** How long after a change the page may still be moving: an element that slides in; ms. */
  const LATER = 1_200;

  const ATTRIBUTES = ["class", "style", "open", "hidden", "aria-hidden", "aria-modal"];

  /**
   * Starts to watch the page.
   * @param {() => boolean} look tells whether the bar moved
   * @returns {() => void} stops
   */
  function watch(look) {
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    let timer;
    /** When the next look is due, ms since 1970; Infinity without one. */
    let due = Infinity;
    let pause = PAUSE;
    let last = 0;
    const observer = new MutationObserver(() => {
      observer.disconnect(); // one call is enough until the next look
      soon(last + pause, true);
    });
    const observe = () => observer.observe(document.documentElement, { subtree: true, childList: true, attributes: true, attributeFilter: ATTRIBUTES });

    /** Looks at that time, or when it is due anyway. @param {number} time @param {boolean} again whether the page may go on changing */
    function soon(time, again) {
      const at = Math.max(time, Date.now() + SHORT);
      if (due <= at) return;
      clearTimeout(timer);
      due = at;
      timer = setTimeout(() => run(again), at - Date.now());
    }

    /** @param {boolean} again */
    function run(again) {
      clearTimeout(timer);
      due = Infinity;
      if (document.hidden) return; // visibilitychange starts it again
      last = Date.now();
      if (look()) pause = PAUSE;
      else if (again) pause = Math.min(LONGEST, pause * 1.5);
      observe();
      if (again) soon(last + LATER, false);
    }

    // What the person does counts at once, also on a page that changes all the time.
    const acted = () => {
      pause = PAUSE;
      soon(last + PAUSE, true);
    };
    const moved = () => soon(last + pause, false);
    const quiet = { capture: true, passive: true };
    /** @type {[EventTarget, string, () => void][]} */
    const all = [
      [window, "resize", acted], [window, "scroll", scrolled], [window, "scrollend", acted], [window, "click", acted], [document, "transitionend", moved],
      [document, "animationend", moved], [document, "visibilitychange", moved], [window, "load", moved],
    ];
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    let scrolling;
    // Not all browsers tell the end of scrolling.
    function scrolled() {
      clearTimeout(scrolling);
      scrolling = setTimeout(acted, 200);
    }
    for (const [target, type, work] of all) target.addEventListener(type, work, quiet);
    run(true);
    return () => {
      clearTimeout(timer);
      clearTimeout(scrolling);
      observer.disconnect();
      for (const [target, type, work] of all) target.removeEventListener(type, work, quiet);
    };
  }

  globalThis.nightjarBarWatch = Object.freeze({ watch });
})();
