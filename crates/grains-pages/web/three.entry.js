// The parts of three.js that views use; the bundler leaves the rest out.
export {
  AmbientLight, BoxGeometry, BufferAttribute, BufferGeometry, CanvasTexture, Color, CylinderGeometry, DirectionalLight,
  DoubleSide, EdgesGeometry, Float32BufferAttribute, GLSL3, Group, InstancedMesh, LineBasicMaterial, LineSegments, Matrix4,
  Mesh, MeshBasicMaterial, MeshLambertMaterial, PerspectiveCamera, PlaneGeometry, Points, Quaternion, RawShaderMaterial,
  SRGBColorSpace, Scene, SphereGeometry, Sprite, SpriteMaterial, Vector3, Vector4, WebGLRenderer,
} from 'three';
export { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
