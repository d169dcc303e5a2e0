/**
 * What protocols with redo logs share: a commit that is decided when its log is on every node, images that are written
 * behind it, locks that are freed when all images are acknowledged, and a recovery that rolls forward.
 */
package tidepool.protocol.redo;
