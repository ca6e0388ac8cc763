/*
 * Runs in the document that a site sends to a frame instead of a page. Asks the page around the frame to open the
 * address of the frame in the whole window. The browser delivers this message only to a page of the same site.
 */
if (parent !== self) parent.postMessage({ open: location.href }, location.origin)
