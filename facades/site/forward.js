/*
 * A site cannot be shown in a frame. If a frame requests a page of a site, the site sends a document with this script
 * instead of the page. The script sends a message to the outer page, which contains the frame. The message asks the
 * outer page to open the requested address in the whole window. The browser delivers the message only if the outer page
 * belongs to the same site.
 */
if (parent !== self) parent.postMessage({ open: location.href }, location.origin)
