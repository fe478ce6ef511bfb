// The texts that a person reads. They stand in _locales by key.

/** A text by its key, with values for its $1, $2, … @param {string} key @param {(string|number)[]} values */
export const t = (key, ...values) => chrome.i18n.getMessage(key, values.map(String));

/** "1 page", "3 pages". @param {number} n @param {string} noun its two texts are count_NOUN_one and count_NOUN_many */
export const count = (n, noun) => t(`count_${noun}_${n === 1 ? "one" : "many"}`, n);

/** The progress of a training. @param {import("../../types/protocol.d.ts").TrainingState} training */
export function trainingText(training) {
  if (!training.running) return t("shared_training_done", training.topic);
  const stage = t("shared_training", training.topic, training.stage);
  return training.total > 0 ? t("shared_training_part", stage, training.done, training.total) : stage;
}
