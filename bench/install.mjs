/** Installs the locked dependencies of the repository and of the bench where they are missing or outdated. */
import { installIfNeeded } from '../scripts/install.mjs';

installIfNeeded();
installIfNeeded(import.meta.dirname);
