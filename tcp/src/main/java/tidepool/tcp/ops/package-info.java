/** For whoever runs nodes: what a node tells about itself, asked over the wire or scraped over HTTP. */
package tidepool.tcp.ops;
