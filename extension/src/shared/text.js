// Short texts that several pages show.

/** "1 page", "3 pages". @param {number} n @param {string} noun */
export const count = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;

/** The progress of a training. @param {import("../../types/protocol.d.ts").TrainingState} training */
export function trainingText(training) {
  if (!training.running) return `Training on “${training.topic}” finished. The dashboard shows what Nightjar learned.`;
  const part = training.total > 0 ? ` (${training.done} of ${training.total})` : "";
  return `Training on “${training.topic}”: ${training.stage}${part}`;
}
