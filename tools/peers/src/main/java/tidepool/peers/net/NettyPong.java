package tidepool.peers.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import tidepool.bench.net.Message;
import tidepool.bench.net.Pong;

/** A pong inside the event loop: answers all requests of one read by one write. */
final class NettyPong implements Pong {
    private final Channel server;
    private final EventLoopGroup loop;

    NettyPong(Channel server, EventLoopGroup loop) {
        this.server = server;
        this.loop = loop;
    }

    @Override
    public int port() {
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    @Override
    public void serve() {
        server.closeFuture().syncUninterruptibly();
    }

    @Override
    public void close() {
        server.close().syncUninterruptibly();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    static final class Handler extends SimpleChannelInboundHandler<ByteBuf> {
        private ByteBuf in;

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            in = context.alloc().directBuffer(Message.MAX_UNDER_WAY * Message.REQUEST_BYTES);
        }

        @Override
        public void handlerRemoved(ChannelHandlerContext context) {
            in.release();
        }

        /** Answers the requests that are complete. The rest of a partial request comes with the next read. */
        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
            in.writeBytes(bytes);
            int messages = in.readableBytes() / Message.REQUEST_BYTES;
            if (messages == 0) return;
            ByteBuf out = context.alloc().directBuffer(messages * Message.ANSWER_BYTES);
            for (int i = 0; i < messages; i++)
                out.setLongLE(i * Message.ANSWER_BYTES, in.getLongLE(in.readerIndex() + i * Message.REQUEST_BYTES));
            out.writerIndex(messages * Message.ANSWER_BYTES);
            in.skipBytes(messages * Message.REQUEST_BYTES).discardReadBytes();
            ChannelFuture _ = context.writeAndFlush(out, context.voidPromise()); // errors close the channel
        }
    }
}
