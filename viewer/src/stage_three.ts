// Space drawn by three.js: truth and prediction as two skeletons, with orbit control.
import {
  AmbientLight,
  BufferAttribute,
  BufferGeometry,
  Color,
  DirectionalLight,
  GridHelper,
  Group,
  InstancedMesh,
  Line,
  LineBasicMaterial,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  PerspectiveCamera,
  Quaternion,
  Scene,
  SphereGeometry,
  CylinderGeometry,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { theme } from "./colours";
import { isKnown, type Space, type Vec } from "./space";

// Balls at the objects and rods between related ones.
class Skeleton {
  readonly group = new Group();
  private readonly balls: InstancedMesh;
  private readonly rods: InstancedMesh;

  constructor(
    private readonly space: Space,
    colour: string,
    private readonly thickness: number,
    opacity: number,
  ) {
    const material = new MeshLambertMaterial({ color: new Color(colour), transparent: opacity < 1, opacity, depthWrite: opacity === 1 });
    this.balls = new InstancedMesh(new SphereGeometry(1, 16, 12), material, Math.max(1, space.system.objects));
    this.rods = new InstancedMesh(new CylinderGeometry(1, 1, 1, 8), material, Math.max(1, space.bones.length));
    this.balls.frustumCulled = this.rods.frustumCulled = false;
    this.group.add(this.balls, this.rods);
  }
  set(places: Vec[], selected: number): void {
    const none = new Matrix4().makeScale(0, 0, 0);
    const m = new Matrix4();
    const turn = new Quaternion();
    places.forEach((p, o) => {
      const r = this.thickness * (o === selected ? 3 : this.space.bones.length ? 1.7 : 2.4);
      this.balls.setMatrixAt(o, isKnown(p) ? m.compose(new Vector3(...p), turn.identity(), new Vector3(r, r, r)) : none);
    });
    this.space.bones.forEach(([a, b], i) => {
      const [from, to] = [places[a], places[b]];
      if (!from || !to || !isKnown(from) || !isKnown(to)) return this.rods.setMatrixAt(i, none);
      const start = new Vector3(...from);
      const along = new Vector3(...to).sub(start);
      const length = along.length();
      turn.setFromUnitVectors(new Vector3(0, 1, 0), length > 0 ? along.clone().divideScalar(length) : new Vector3(0, 1, 0));
      this.rods.setMatrixAt(
        i,
        m.compose(start.addScaledVector(along, 0.5), turn, new Vector3(this.thickness, length, this.thickness)),
      );
    });
    if (this.space.bones.length === 0) this.rods.setMatrixAt(0, none);
    this.balls.instanceMatrix.needsUpdate = this.rods.instanceMatrix.needsUpdate = true;
  }
}

function line(points: Vec[], colour: string, opacity = 1): Line {
  const known = points.filter(isKnown).flat();
  const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(known), 3));
  return new Line(geometry, new LineBasicMaterial({ color: new Color(colour), transparent: opacity < 1, opacity }));
}

export class ThreeView {
  private readonly renderer: WebGLRenderer;
  private readonly camera = new PerspectiveCamera(40, 1, 0.01, 100);
  private readonly controls: OrbitControls;
  private scene = new Scene();
  private truth: Skeleton | null = null;
  private predicted: Skeleton | null = null;
  private space: Space | null = null;
  private readonly paths = new Group();
  private readonly futures = new Group();
  private withFutures = true;
  private band = new Mesh();
  private selected = -1;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.zoomSpeed = 0.6;
    this.controls.addEventListener("change", () => this.render());
    this.camera.up.set(0, 0, 1);
  }

  static isPossible(): boolean {
    if (location.hash === "#canvas") return false;
    const probe = document.createElement("canvas").getContext("webgl2");
    probe?.getExtension("WEBGL_lose_context")?.loseContext();
    return probe !== null;
  }

  show(space: Space, keepView: boolean): void {
    const t = theme();
    this.space = space;
    this.scene = new Scene();
    const thickness = space.radius * (space.bones.length ? 0.008 : 0.006);
    this.truth = new Skeleton(space, t.truth, thickness * 1.7, 0.42);
    this.predicted = new Skeleton(space, t.model, thickness, 1);
    const grid = new GridHelper(4 * space.radius, 20, t.line, t.grid);
    grid.rotateX(Math.PI / 2);
    grid.position.set(space.centre[0], space.centre[1], space.floor - 2 * thickness);
    const sun = new DirectionalLight(0xffffff, 2);
    sun.position.set(1, -2, 3);
    this.band = new Mesh(
      new SphereGeometry(1, 24, 16),
      new MeshBasicMaterial({ color: new Color(t.accent), transparent: true, opacity: 0.22, depthWrite: false }),
    );
    this.scene.add(new AmbientLight(0xffffff, 1.6), sun, grid, this.truth.group, this.predicted.group, this.paths, this.futures, this.band);
    this.selected = -1;
    if (keepView) return;
    const target = new Vector3(...space.centre);
    this.controls.target.copy(target);
    this.camera.position.copy(target).add(new Vector3(1.5, -2, 0.7).multiplyScalar(space.radius));
    this.camera.near = space.radius / 100;
    this.camera.far = 60 * space.radius;
    this.controls.update();
  }

  size(width: number, height: number): void {
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.renderer.setSize(width, height, false);
    this.render();
  }

  private selectPath(object: number): void {
    if (!this.space || object === this.selected) return;
    this.selected = object;
    this.paths.clear();
    const t = theme();
    this.paths.add(line(this.space.truePath(object), t.truth), line(this.space.predictedPath(object), t.accent));
    this.futures.clear();
    const futures = this.space.system.futures;
    for (const j of futures.drawn)
      this.futures.add(line(this.space.futurePath(object, j), t.accent, futures.opacity(object, j)));
    const points = this.space.observed(object).filter(isKnown);
    const dots = new InstancedMesh(
      new SphereGeometry(this.space.radius * 0.009, 8, 6),
      new MeshBasicMaterial({ color: new Color(t.accent) }),
      Math.max(1, points.length),
    );
    points.forEach((p, i) => dots.setMatrixAt(i, new Matrix4().makeTranslation(...p)));
    dots.count = points.length;
    dots.frustumCulled = false;
    this.paths.add(dots);
  }

  showFutures(shown: boolean): void {
    this.withFutures = shown;
  }

  draw(time: number, selected: number): void {
    if (!this.space) return;
    this.truth?.set(this.space.truth(time), selected);
    this.predicted?.set(this.space.predicted(time), selected);
    this.selectPath(selected);
    this.futures.visible = this.withFutures && time >= this.space.system.startAt - 1e-6;
    const { centre, half } = this.space.band(selected, time);
    this.band.visible = isKnown(centre) && isKnown(half);
    if (this.band.visible) {
      this.band.position.set(...centre);
      this.band.scale.set(...(half.map((h) => Math.max(h, 1e-6)) as Vec));
    }
    this.render();
  }

  // The position of a point on the canvas, in pixels.
  project(p: Vec, width: number, height: number): [number, number] {
    const v = new Vector3(...p).project(this.camera);
    return [((v.x + 1) / 2) * width, ((1 - v.y) / 2) * height];
  }
  turn(dx: number, dy: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target);
    offset.applyAxisAngle(new Vector3(0, 0, 1), dx);
    const side = new Vector3().crossVectors(offset, this.camera.up).normalize();
    const tilted = offset.clone().applyAxisAngle(side, dy);
    if (Math.abs(tilted.clone().normalize().z) < 0.98) offset.copy(tilted);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
    this.render();
  }
  private render(): void {
    this.renderer.render(this.scene, this.camera);
  }
}
