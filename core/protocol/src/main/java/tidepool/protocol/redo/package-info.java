/**
 * The shared part of protocols with redo logs. A commit is decided when its log is on every node. Images are written
 * after that, and locks are freed when all images are acknowledged. Recovery rolls forward.
 */
package tidepool.protocol.redo;
