/** Authentication of clients and nodes, rights of clients, and TLS. */
package tidepool.tcp.secure;
