// Which text looks random. A classic script as privacy.js, which uses it; the daemon has the same rules in crawler/weburl/random.go.
(() => {
  "use strict";

  // What stands before a text says about it: how much it takes for the text to be a secret. OPEN: behind one of OPEN_PATHS or a single
  // letter; HINTED: behind one of HINT_PATHS, or the value of one of HINT_NAMES; ANNOUNCED: behind one of SECRET_PATHS.
  const [UNTOLD, OPEN, HINTED, ANNOUNCED] = [0, 1, 2, 3];

  // By what was told: the shortest random text that counts as a secret, in characters, and its least excess in bits. People type
  // shorter texts, and name things by them.
  const LIMITS = [{ length: 20, least: 11 }, { length: 16, least: 11 }, { length: 8, least: 9 }, { length: 8, least: 2 }];

  const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

  // The form of the name of a version: v1alpha3, v1p1beta1.
  const VERSION_NAME = /^v[0-9]{1,3}(?:p[0-9]{1,2})?[a-z]{1,5}[0-9]{1,3}$/;

  /**
   * Whether a decoded text contains a UUID, or a run of base64 characters, or a word of one, that looks random enough after what was told.
   * @param {string} text @param {number} told
   */
  function random(text, told) {
    if (text.length < LIMITS[told].length || VERSION_NAME.test(text)) return false;
    if (UUID.test(text)) return true;
    return text.split(/[^A-Za-z0-9_+/=-]+/).some((run) =>
      exceeds(run, told) || run.split(/[-_+/=]+/).some((word) => word.length < run.length && exceeds(word, Math.min(told, OPEN))));
  }

  /**
   * Applies the limits to one run. One of small letters, or of capitals, is a word, or a sequence of letters that people know.
   * @param {string} run @param {number} told
   */
  function exceeds(run, told) {
    if (run.length < LIMITS[told].length || /^(?:[a-z_-]*|[A-Z_-]*)$/.test(run)) return false;
    return excess(run) > LIMITS[told].least;
  }

  /**
   * By how many bits a run is longer when it is encoded as words and numbers than as random characters of the smallest usual alphabet. It is
   * far below 0 for words, numbers, codes and names, and grows with the length of random text. @param {string} run
   */
  const excess = (run) => written(run) / 2 - Math.log2(alphabet(run)) * run.length;

  // Costs of written text in half bits. A piece is a word or a number that begins without a separator before it.
  const PIECE_COST = 10;
  const JOIN_COST = 9;
  const DIGIT_COST = 7;
  const YEAR_GAIN = 14; // for a number that is a year
  const SAME_COST = 4; // of a character that is there for the third time running

  /** The cost in half bits of a run as words, each in small letters, in capitals or with a capital first, and numbers. @param {string} run */
  function written(run) {
    let cost = 0;
    let before = "-";
    for (let i = 0; i < run.length; i++) {
      const k = kind(run[i]);
      const begins = k === "A" && i + 1 < run.length && kind(run[i + 1]) === "a"; // the P of HTMLParser
      const goesOn = !begins && (k === before || (before === "A" && k === "a"));
      if (!goesOn && k !== "-" && before !== "-") cost += PIECE_COST;
      if (i > 1 && run[i] === run[i - 1] && run[i] === run[i - 2]) cost += SAME_COST;
      else if (k === "-") cost += JOIN_COST;
      else if (k !== "0") cost += parseInt(LETTER_COSTS[goesOn ? letter(run[i - 1]) : 0][letter(run[i]) - 1], 36);
      else cost += DIGIT_COST - (!goesOn && /^(?:19|20)[0-9]{2}(?![0-9])/.test(run.slice(i, i + 5)) ? YEAR_GAIN : 0);
      before = k;
    }
    return cost;
  }

  /** The kind of a character of a run: a digit, a small or a capital letter, or a separator. @param {string} c */
  const kind = (c) => (c >= "0" && c <= "9" ? "0" : c >= "a" && c <= "z" ? "a" : c >= "A" && c <= "Z" ? "A" : "-");

  /** The place of a letter in the alphabet, from 1. @param {string} c */
  const letter = (c) => (c.charCodeAt(0) | 0x20) - 0x60;

  /** The size of the smallest usual alphabet that contains a run: numbers, hexadecimal, base32, base36, base62, base64. @param {string} run */
  function alphabet(run) {
    const [digits, small, capital] = [/[0-9]/, /[a-z]/, /[A-Z]/].map((form) => form.test(run));
    const letters = digits && !(small && capital) && !/[g-z]/i.test(run) ? 6 : 26;
    return (digits ? 10 : 0) + (small ? letters : 0) + (capital ? letters : 0) + (/[^0-9A-Za-z]/.test(run) ? 2 : 0);
  }

  // The costs of letters in half bits, each a digit in base 36: in the first row of each letter at the beginning of a word, in those below
  // of each letter after a, b, c, and so on. random.go says where they were counted.
  const LETTER_COSTS = [
    "888899aaadaa99a8f879babgeb", "da99ccad9db785cah677baehdd", "5ahg5ihh6fg7ge6ij7be7hikah",
    "7jbj7jj37h8cjj6jhafaajjidc", "6fgc3geg5gecec6fj99f8efjcc", "bca9ccbe9dc995ebg568ecdeeb",
    "6gif68fh5gh8hg5ij8ca7hhjeh", "6fff4gba7gg9e97gh69c7fggef", "4hgi4iii5fgcec6ijbca7gfkbj",
    "7c9a6b9fedc9a58cga78bbfhfb", "3ifc5fij8jdefc6hkgcf5hikjf", "5cih4geb6hd8gb7gja8a8ffjci",
    "5eeb5eed5gd7dc7fjhaa8eiiah", "5ahf5ghg5jge9e58jfbe7hijbi", "7f977c6e6fcfgb8ggf76aegice",
    "ebaaccadcdc885bag6799aagec", "5hhi5dhc6ih8if69k6bb8hjkej", "akkkckkkbkkhikdjjkhk0chkkk",
    "5ddb5fdf6icdb96eib8a8egjbc", "8e8g6ef77h9bbd99gg759efkdd", "6ggi4hgc5gfdgd7hj77a8gfkag",
    "8a999bae8bb797cai677fbdgfc", "4hih3iii5jgcid6ikccgcfjkcj", "3ggf5iib5jgahb8hjca89jikch",
    "7f8j6fic5jfcfh76iic69ciaci", "6cab8fbg8hb88699ja5a9ddhke", "4ffg4ig95hfced6gjhfe8gdkb8",
  ];

  globalThis.nightjarRandom = Object.freeze({ random, excess, UNTOLD, OPEN, HINTED, ANNOUNCED });
})();
