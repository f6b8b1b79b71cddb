/**
 * Updates React as a test does or, outside an `act` environment, as an app does: in tests, React warns about updates
 * outside of `act`.
 */
export function inActEnvironment(isIn: boolean, update: () => void): void {
  const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean | undefined }; // where React looks
  const { IS_REACT_ACT_ENVIRONMENT } = environment;
  environment.IS_REACT_ACT_ENVIRONMENT = isIn;
  try {
    update();
  } finally {
    environment.IS_REACT_ACT_ENVIRONMENT = IS_REACT_ACT_ENVIRONMENT;
  }
}
