/** FaRMv2 made one-sided: FaRM's phases with redo logs, timestamps, and chains of versions from new to old. */
package tidepool.protocol.farmv2;
