// @ts-check
/* What is seen to move between two frames: things travel, turn over, numbers count, and flags fall. The page is at its end already when
   they set out, so nothing waits for them; copies of the pictures move, and answer to nothing. */

import { copied } from "./copies.js";
import { sound } from "./sounds.js";

/** @typedef {{ version: number, kind: "travel" | "reveal" | "count" | "flag" | "grow", place: string, source?: string, looks?: string,
      joined?: boolean }} Step */

const LENGTH_MS = { travel: 260, reveal: 220, count: 360, flag: 300, grow: 400 };
const REST_MS = 60;
const MOST_MS = 1600; /* What takes longer goes by faster, so that who was away is soon where the match is. */
const MOST_STEPS = 10;
const EASE = "cubic-bezier(.2, .8, .2, 1)";
const SEEN_MS = 900;
const AFTER_MS = 45; /* Envelopes open one after the other. */

/** The pictures as they were before the frame came.
    @type {Map<string, { box: DOMRect, copy: SVGSVGElement | null }>} */
let before = new Map();
let turn = 0;

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** What a motion means by the name of a place.
    @param {string} name
    @returns {Element | null} */
function find(name) {
  const seat = /^seat (\d+)$/.exec(name);
  if (seat) return document.getElementById(`seat-${seat[1]}`);
  const quoted = CSS.escape(name);
  return document.querySelector(`:is(#board, .part) [data-place="${quoted}"], :is(#board, .part) [data-cell="${quoted}"]`);
}

/** Look at what stands where, before a frame changes it: the sources of motions are gone afterwards. */
export function look() {
  turn += 1;
  before = new Map();
  if (calm()) return;
  for (const element of document.querySelectorAll(":is(#board, .part) svg :is([data-cell], [data-place])")) {
    const { cell, place } = /** @type {SVGElement} */ (element).dataset;
    const kept = { box: element.getBoundingClientRect(), copy: copied(element) };
    for (const name of [cell, place]) if (name) before.set(name, kept);
  }
}

/** @param {SVGSVGElement} picture
    @param {DOMRect} box */
function lay(picture, box) {
  Object.assign(picture.style, {
    position: "fixed", zIndex: "15", pointerEvents: "none", overflow: "visible",
    left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px`,
  });
  document.body.append(picture);
}

/** A picture of what is at a place, and was there before.
    @param {string} name */
function alike(name) {
  const kept = before.get(name)?.copy;
  return kept ? /** @type {SVGSVGElement} */ (kept.cloneNode(true)) : null;
}

/** @param {Step} step
    @param {number} pace */
async function travel(step, pace) {
  const [to, from] = [find(step.place), before.get(step.source)];
  const box = from?.box ?? find(step.source)?.getBoundingClientRect();
  if (!to || !box?.width) return;
  const picture = (step.looks ? alike(step.looks) : from?.copy) ?? copied(to);
  const end = to.getBoundingClientRect();
  if (!picture || !end.width) return;
  const shape = (to.getAttribute("data-cell") === step.place || to.matches(".lands")) && /** @type {SVGElement} */ (to);
  // What turns over next stays hidden when it has landed.
  const seen = shape ? shape.style.visibility : "";
  if (shape) shape.style.visibility = "hidden";
  lay(picture, box);
  const [wide, high] = [end.width / box.width, end.height / box.height];
  const scale = Math.min(wide, high);
  // What lies beside the board may be scrolled out of sight: the thing goes where that begins.
  const room = to.closest(".play-side")?.getBoundingClientRect();
  const middle = end.top + end.height / 2;
  const shown = room ? Math.min(Math.max(middle, room.top), room.bottom) : middle;
  const [x, y] = [end.left + end.width / 2 - box.left - box.width / 2, shown - box.top - box.height / 2];
  await picture.animate(
    [{ transform: "none" }, { transform: `translate(${x}px, ${y}px) scale(${scale})`, opacity: shown === middle ? 1 : 0 }],
    { duration: LENGTH_MS.travel * pace, easing: EASE, fill: "forwards" }).finished;
  if (shape) shape.style.visibility = seen;
  // What has landed is drawn before what flew is taken away.
  await new Promise(requestAnimationFrame);
  picture.remove();
}

/** @param {Step} step
    @param {number} pace */
async function reveal(step, pace) {
  const element = /** @type {SVGElement | null} */ (find(step.place));
  if (!element) return;
  if (element.matches(".letter")) return open(element, pace);
  Object.assign(element.style, { transformBox: "fill-box", transformOrigin: "center", visibility: "" });
  await element.animate([{ transform: "scaleX(0)" }, { transform: "none" }],
    { duration: LENGTH_MS.reveal * pace, easing: EASE }).finished;
}

/** Lift the cover off an envelope, after those before it.
    @param {Element} letter
    @param {number} pace */
async function open(letter, pace) {
  /** @type {HTMLElement} */ (letter).style.visibility = "";
  const before = [...document.querySelectorAll("#board .letter")].indexOf(letter);
  // The page is laid out for the next frame once, not for each envelope.
  await new Promise(requestAnimationFrame);
  await letter.animate(
    [{ opacity: 1, transform: "none" }, { opacity: 1, transform: "perspective(300px) rotateX(90deg)" }],
    { duration: LENGTH_MS.reveal * pace, delay: before * AFTER_MS * pace, easing: EASE, fill: "backwards", pseudoElement: "::after" }).finished;
}

/** @param {Step} step
    @returns {SVGElement[]} */
const barsAt = (step) => [...(find(step.place)?.querySelectorAll(".bar") ?? [])].map((bar) => /** @type {SVGElement} */ (bar));

/** @param {Step} step
    @param {number} pace */
async function grow(step, pace) {
  await Promise.all(barsAt(step).map((bar) => {
    bar.style.visibility = "";
    return bar.animate([{ transform: "scaleX(0)" }, { transform: "none" }], { duration: LENGTH_MS.grow * pace, easing: EASE }).finished;
  }));
}

/** @param {Step} step
    @param {number} pace */
async function flag(step, pace) {
  const colour = getComputedStyle(document.documentElement).getPropertyValue("--bad-soft");
  await find(step.place)?.animate([{ backgroundColor: colour }, { backgroundColor: "transparent" }],
    { duration: LENGTH_MS.flag * pace * 2, easing: EASE }).finished;
}

/** The letters at a place that holds nothing but a number.
    @param {string} name */
const digits = (name) => find(name)?.querySelector("text")?.firstChild ?? null;

/** What a number was: until its turn comes it shows that, unless it is too long to be counted.
    @param {Step} step
    @returns {{ from: number, to: number } | null} */
function counted(step) {
  const [was, is] = [before.get(step.place)?.copy?.textContent, digits(step.place)?.nodeValue];
  return was && is && /^\d+$/.test(was) && /^\d+$/.test(is) && was !== is ? { from: Number(was), to: Number(is) } : null;
}

/** @param {Step} step
    @param {number} pace
    @param {() => boolean} isOver
    @param {{ from: number, to: number } | undefined} range */
async function count(step, pace, isOver, range) {
  if (!range) return;
  const began = performance.now();
  for (let part = 0; part < 1;) {
    part = Math.min(1, (await new Promise(requestAnimationFrame) - began) / (LENGTH_MS.count * pace));
    if (isOver()) return;
    digits(step.place).nodeValue = String(Math.round(range.from + (range.to - range.from) * Math.max(0, part)));
  }
}

const PLAYED = { travel, reveal, count, flag, grow };

/** Steps that set out together.
    @param {Step[]} steps */
function beats(steps) {
  /** @type {Step[][]} */
  const all = [];
  for (const step of steps) {
    if (step.joined && all.length) all.at(-1).push(step);
    else all.push([step]);
  }
  return all;
}

/** @param {Step[]} beat */
const lasting = (beat) => Math.max(...beat.map((step) => LENGTH_MS[step.kind]));

/** Whoever wants nothing to move sees where it has: a ring, for a moment.
    @param {Step[]} steps */
function ring(steps) {
  for (const { place } of steps) {
    const element = find(place);
    element?.classList.add("moved");
    setTimeout(() => element?.classList.remove("moved"), SEEN_MS);
  }
}

/** What is to turn over or to grow shows nothing before its turn has come; gives what ends that.
    @param {Step[]} steps */
function hide(steps) {
  const hidden = steps.flatMap((step) =>
    step.kind === "reveal" ? [/** @type {SVGElement | null} */ (find(step.place))] : step.kind === "grow" ? barsAt(step) : []);
  for (const element of hidden) if (element) element.style.visibility = "hidden";
  return () => { for (const element of hidden) if (element) element.style.visibility = ""; };
}

/** The steps that the page was told of since a version.
    @param {number} version
    @returns {Step[]} */
function since(version) {
  const told = document.getElementById("motion-data")?.textContent;
  /** @type {Step[]} */
  const steps = told ? JSON.parse(told) : [];
  return steps.filter((step) => step.version > version);
}

/** A frame is shown that came after this version: what happened in between is seen to happen, `hurry` times as fast.
    @param {number} version */
export async function show(version, hurry = 1) {
  const steps = since(version);
  if (!steps.length || document.hidden) return;
  for (const kind of new Set(steps.map((step) => step.kind))) sound(kind);
  if (calm()) return ring(steps);
  const mine = (turn += 1);
  const isOver = () => mine !== turn;
  const shown = beats(steps).slice(-MOST_STEPS);
  const whole = shown.reduce((sum, beat) => sum + lasting(beat) + REST_MS, 0);
  const pace = Math.min(1, MOST_MS / whole) / hurry;
  /** @type {Map<string, { from: number, to: number }>} */
  const numbers = new Map();
  for (const step of shown.flat()) {
    const range = step.kind === "count" && counted(step);
    if (range) numbers.set(step.place, range);
  }
  for (const [place, { from }] of numbers) digits(place).nodeValue = String(from);
  const uncover = hide(shown.slice(1).flat());
  for (const beat of shown) {
    if (isOver()) break;
    await Promise.all(beat.map((step) => {
      const range = numbers.get(step.place);
      if (step.kind === "count") numbers.delete(step.place);
      return PLAYED[step.kind](step, pace, isOver, range).catch(() => {});
    }));
  }
  uncover();
}
