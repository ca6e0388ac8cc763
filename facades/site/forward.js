/*
 * If a frame requests a page of a site, the site sends a document with this script instead of the page. The script asks
 * the page around the frame to open the address of the frame in the whole window. The browser delivers this message
 * only to a page of the same site.
 */
if (parent !== self) parent.postMessage({ open: location.href }, location.origin)
