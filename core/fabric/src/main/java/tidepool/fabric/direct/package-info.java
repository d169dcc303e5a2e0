/**
 * Verbs executed by the calling thread, with loads, stores and atomic instructions on mapped memory: {@code mem:}
 * inside one process, {@code shm:} between processes (as with CXL in a rack).
 *
 * <p>No memory side protects the memory, so the library makes its checks. They protect against bugs, not against
 * malice; file permissions are the boundary.
 */
package tidepool.fabric.direct;
