// privacy.js for modules, after what it uses.
import "./random.js";
import "./secret_words.js";
import "./privacy.js";
