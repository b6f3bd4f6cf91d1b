// The clock of a system: play, pause, scrub, speed. Views that draw listen to it.
const kSeconds = 10; // a whole system at normal speed
export const kSpeeds = [0.25, 0.5, 1, 2, 4];

export class Player {
  time = 0; // since the begin of the system
  duration = 1;
  speed = 1;
  playing = false;
  private listeners: (() => void)[] = [];
  private previous = 0;

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }
  reset(duration: number, time: number): void {
    this.duration = duration;
    this.time = time;
    this.changed();
  }
  seek(time: number): void {
    this.time = Math.min(Math.max(time, 0), this.duration);
    this.changed();
  }
  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }
  play(): void {
    if (this.playing) return;
    if (this.time >= this.duration) this.time = 0;
    this.playing = true;
    this.previous = performance.now();
    requestAnimationFrame(this.frame);
    this.changed();
  }
  pause(): void {
    this.playing = false;
    this.changed();
  }
  faster(steps: number): void {
    const at = Math.min(Math.max(kSpeeds.indexOf(this.speed) + steps, 0), kSpeeds.length - 1);
    this.speed = kSpeeds[at] ?? 1;
    this.changed();
  }

  private readonly frame = (now: number): void => {
    if (!this.playing) return;
    this.time += (Math.max(0, now - this.previous) / 1000) * this.speed * (this.duration / kSeconds);
    this.previous = now;
    if (this.time >= this.duration) this.time %= this.duration || 1;
    this.changed();
    requestAnimationFrame(this.frame);
  };
  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}
