// @ts-check
/* Sounds of the page's own making: short tones, off until somebody turns them on. */

/** @typedef {{ hz: number[], seconds: number, loud: number, shape: OscillatorType }} Tone */

const SETTING = "croupier-call-by-sound";
/** @type {Record<string, Tone>} */
const TONES = {
  call: { hz: [659, 880], seconds: 0.16, loud: 0.15, shape: "sine" },
  travel: { hz: [190], seconds: 0.05, loud: 0.12, shape: "triangle" },
  reveal: { hz: [420, 630], seconds: 0.05, loud: 0.08, shape: "triangle" },
  count: { hz: [523, 587, 659], seconds: 0.05, loud: 0.07, shape: "sine" },
  flag: { hz: [220, 165], seconds: 0.22, loud: 0.16, shape: "sawtooth" },
  end: { hz: [392, 523, 659, 784], seconds: 0.14, loud: 0.12, shape: "sine" },
};

/** @type {AudioContext | null} */
let audio = null;

export const isOn = () => localStorage.getItem(SETTING) === "yes";
/** @param {boolean} on */
export const setOn = (on) => localStorage.setItem(SETTING, on ? "yes" : "no");

/** A page may sound once it has been touched. */
export async function waken() {
  if (!isOn()) return;
  audio ??= new AudioContext();
  await audio.resume();
}

/** Play a sound by its name, where sounds are on; one without a tone is silent.
    @param {string} name */
export function sound(name) {
  const tone = TONES[name];
  if (!tone || !isOn() || audio?.state !== "running") return;
  tone.hz.forEach((frequency, place) => {
    const begins = audio.currentTime + place * tone.seconds;
    const ends = begins + 2 * tone.seconds;
    const source = new OscillatorNode(audio, { frequency, type: tone.shape });
    const volume = new GainNode(audio);
    volume.gain.setValueAtTime(tone.loud, begins);
    volume.gain.exponentialRampToValueAtTime(tone.loud / 100, ends);
    source.connect(volume).connect(audio.destination);
    source.start(begins);
    source.stop(ends);
  });
}

export function listen() {
  for (const touch of ["pointerdown", "keydown"]) document.addEventListener(touch, waken, { once: true });
}
