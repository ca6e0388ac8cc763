/*
 * Runs in the document that a site sends into frames. Asks the surrounding document, if it is of the same site, to
 * open this address in the whole window.
 */
if (parent !== self) parent.postMessage({ open: location.href }, location.origin)
