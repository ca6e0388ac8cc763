/*
 * Runs in the document that a site sends into frames. Asks the surrounding document to open this address in the whole
 * window, if that document belongs to the same site.
 */
if (parent !== self) parent.postMessage({ open: location.href }, location.origin)
