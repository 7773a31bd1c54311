/** Of the package; a daemon of another version is replaced by the newer one. */
export const VERSION = '0.1.0';

/** Raised when a face of the version before could misread what the daemon says. */
export const PROTOCOL_VERSION = 1;
