/**
 * The memory node: regions of bytes, sessions that may access them, extents allocated in them, handlers and chained
 * work. It knows bytes only; the upper modules give them a meaning.
 *
 * <p>All state lies in memory that a {@link tidepool.memory.RegionStore} provides. So this code is the node inside one
 * process, the node that several processes share through mapped files, and the node of the simulator.
 */
package tidepool.memory;
