// privacy.js for modules, after the names that it uses.
import "./secret_words.js";
import "./privacy.js";
