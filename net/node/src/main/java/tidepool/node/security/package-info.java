/** Admission of clients to a node: credentials files, authentication by token or certificate, rights. */
package tidepool.node.security;
